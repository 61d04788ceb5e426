// The whole public interface of the accel runtime. A rewritten program includes this one file.
#pragma once

#include <accel/accelerator.h>
#include <accel/accumulate.h>
#include <accel/collectives.h>
#include <accel/data_loader.h>
#include <accel/first.h>
#include <accel/loaders.h>
#include <accel/logger.h>
#include <accel/nested.h>
#include <accel/options.h>
#include <accel/placement.h>
#include <accel/prepared_optimizer.h>
#include <accel/process_state.h>
#include <accel/reduction.h>
#include <accel/samplers.h>
#include <accel/serialise.h>
#include <accel/share.h>
#include <accel/split.h>
#include <accel/stateful_loader.h>
#include <accel/visit.h>
