// Uses the installed client as a stranger's program would. Given no server, it
// only shows that the library links and reports a bad URL.
#include <lamina/client.h>

#include <cstdio>

int main(int argc, char** argv) {
  auto db = lamina::Client::connect(argc > 1 ? argv[1] : "no url");
  if (!db.ok()) {
    std::printf("%s\n", db.status().to_string().c_str());
    return argc > 1 ? 1 : 0;
  }
  auto names = (*db)->list_collections();
  if (!names.ok()) {
    std::printf("%s\n", names.status().to_string().c_str());
    return 1;
  }
  for (const std::string& name : *names) std::printf("%s\n", name.c_str());
  return 0;
}
