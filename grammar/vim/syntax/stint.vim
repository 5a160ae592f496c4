" Vim syntax file for Stint policies.

if exists("b:current_syntax")
  finish
endif

" Words and units are those of stint.ebnf; a test compares them.
syntax keyword stintDeclaration budget default let machine param policy require rule schedule state
syntax keyword stintDeclaration test use version zone
syntax keyword stintControl always every expect given goto if when while
syntax keyword stintDirective attach batch defer detach downgrade emit fix flush launch pause reload
syntax keyword stintDirective set start stop tell watch
syntax keyword stintOperatorWord above and below between for implies in is last not or release
syntax keyword stintOperatorWord tolerate
syntax keyword stintKeyword as at beacon because by circle deadline doubling enter_after except
syntax keyword stintKeyword exit_after flex from major minor most on over per radius required starts
syntax keyword stintKeyword timeout times to until where with

" All units. A longer unit precedes the units with which it begins.
let s:units = [
  \ 'kbit/s', 'Mbit/s', 'deg/s', 'items', 'ug/m3', 'mg/m3', 'kg/m3', 'week', 'km/h', 'kB/s',
  \ 'MB/s', 'm/s2', 'min', 'm/s', 'mph', 'ppm', 'ppb', 'KiB', 'MiB', 'kHz', 'mWh', 'kWh', 'mAh',
  \ 'deg', 'lux', 'dBm', 'hPa', 'kPa', 'ns', 'us', 'ms', 'cm', 'km', 'ft', 'mi', 'kn', 'kB', 'MB',
  \ 'GB', 'Hz', 'nJ', 'uJ', 'mJ', 'kJ', 'MJ', 'Wh', 'nW', 'uW', 'mW', 'kW', 'mV', 'kV', 'mA', 'Ah',
  \ 'uT', 'mT', 'dB', 'kg', 'Pa', 's', 'h', 'd', 'm', 'B', 'J', 'W', 'V', 'A', 'C', 'g', 'T', '%',
  \ ]

syntax match stintNumber "\<\d\+\(\.\d\+\)\?"
syntax match stintClock "\<\d\+:\d\+\>"
syntax match stintName "\<\a\w*\(\s*\.\s*\a\w*\|\.\w\+\)*\(\s*\.\s*\(\a\w*\|\*\)\|\.\w\+\)"
syntax match stintOperator "<=\|>=\|==\|!=\|\.\.\|[-=<>+*/]"
execute 'syntax match stintUnit "\(\<\d\+\(\.\d\+\)\?\s*\)\@<=\(' .. join(s:units, '\|') .. '\)\w\@!"'
execute 'syntax match stintUnit "\(\<per\s\+\)\@<=\(' .. join(s:units, '\|') .. '\)\w\@!"'
unlet s:units

syntax match stintEscape "\\." contained
syntax region stintText start=/"/ skip=/\\./ end=/"/ oneline contains=stintEscape
syntax match stintComment "#.*$" contains=@Spell

highlight default link stintDeclaration Structure
highlight default link stintControl Conditional
highlight default link stintDirective Statement
highlight default link stintOperatorWord Operator
highlight default link stintKeyword Keyword
highlight default link stintNumber Number
highlight default link stintUnit Type
highlight default link stintClock Constant
highlight default link stintName Identifier
highlight default link stintOperator Operator
highlight default link stintText String
highlight default link stintEscape SpecialChar
highlight default link stintComment Comment

let b:current_syntax = "stint"
