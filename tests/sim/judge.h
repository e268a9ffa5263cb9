#pragma once

#include "tests/sim/world.h"
#include "tests/sim/writer.h"

namespace tarn::sim {

// Looks at a finished run and says by World::Violate which of these does not hold:
//  - what landed was told so or left open; what was said not to land did not; nothing landed twice;
//  - the order of the log explains all results: applied one by one, each commit does to the state
//    before it exactly what its operation means;
//  - no row is in the table twice; positions are moved by compare-and-set;
//  - timestamps rise with versions;
//  - every conflict that was reported has a commit that could have caused it;
//  - every reader was given exactly the state of one version, and never one older than what had
//  been
//    acknowledged before it began;
//  - a reader that starts now, without faults, finds the last state, and each older version that it
//    can still open as it was.
void Judge(World& world);

}  // namespace tarn::sim
