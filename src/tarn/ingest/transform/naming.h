#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tarn/ingest/transform/transform.h"

namespace tarn {

// snake_case: an underscore between a lower-case letter or digit and an upper-case letter, and
// before the last of a run of upper-case letters that a lower-case one follows; '.', '-' and blanks
// become underscores; then lower-cased by Unicode's default mapping, whatever the locale (İ becomes
// i and U+0307). HTTPServerURL is http_server_url, größeÄnderung größe_änderung. Every depth is
// renamed. Option collisions: refuse (default) or suffix.
std::unique_ptr<TransformMaker> MakeSnakeCaseMaker();

// flatten: members of structs become columns parent_member, to any depth; lists and maps stay. A
// NULL struct gives NULL members. Options: separator (default _), collisions (as above),
// snake_case: true does both in one.
//
// Columns that end under one name are refused with all their sources listed as JSON paths
// ($.user.id,
// $['user.id']). With collisions: suffix, the one that already had the name keeps it, the others
// get _ and six hex digits of a hash of their path: the same in every run.
std::unique_ptr<TransformMaker> MakeFlattenMaker();

// One name in snake_case.
std::string SnakeCase(std::string_view name);

}  // namespace tarn
