#include "stint_plugin.h"
