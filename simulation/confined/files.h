// Which files a confined program may open (Landlock, landlock(7)): what it is made of, and what is
// named; all others fail as if they belonged to another user.
#pragma once

#include <string>
#include <vector>

namespace hocket::confined {

struct Files {
  std::string program;               // is started, with the system's libraries
  std::vector<std::string> read;     // files, and folders with all that is in them
  std::vector<std::string> written;  // the same; files that are there: none is made, none removed
  std::vector<std::string> made;     // folders in which files are made and removed
  std::vector<std::string> run;      // folders with programs that it may start
};

/// From now on it holds for this process and what it becomes. False: the computer cannot do it, or
/// not all of it; the reason is in errno.
bool confine_to(const Files& files);

}  // namespace hocket::confined
