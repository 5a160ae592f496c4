@_exported public import StintFormats
@_exported public import StintModel
@_exported public import StintPluginKit
@_exported public import StintServices
@_exported public import StintUnits

// An app imports `Stint` only: the public declarations of Stint use the types of these modules.
@_exported public import struct StintEstimation.AttitudeFilter
@_exported public import struct StintEstimation.Rotation
