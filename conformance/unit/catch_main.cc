// The test main, compiled once for every test program.
#define CATCH_CONFIG_MAIN
#include "catch.h"
#if __has_include(<catch2/catch_session.hpp>)
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#endif
