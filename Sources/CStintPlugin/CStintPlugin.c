#include "stint_plugin_draft.h"
#include "stint_plugin.h"
#include "stint_ring.h"
