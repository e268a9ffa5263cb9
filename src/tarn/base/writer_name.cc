#include "tarn/base/writer_name.h"

#include <pwd.h>
#include <unistd.h>

namespace tarn {

std::string WriterName() {
  char host[256] = {};
  if (gethostname(host, sizeof(host) - 1) != 0) host[0] = '\0';
  passwd entry{};
  passwd* found = nullptr;
  char buffer[4096];
  const uid_t user = getuid();
  const bool known =
      getpwuid_r(user, &entry, buffer, sizeof(buffer), &found) == 0 && found != nullptr;
  return (known ? std::string(entry.pw_name) : std::to_string(user)) + "@" + host;
}

}  // namespace tarn
