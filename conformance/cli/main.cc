// The program `adahop`: one subcommand a file. Exit status 0 all is well, 1 something differs, 2 usage or bad input,
// which is one line on stderr.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "adahop/io/mapping.h"
#include "conformance/cli/cmd_backends.h"
#include "conformance/cli/cmd_calibrate.h"
#include "conformance/cli/cmd_certify.h"
#include "conformance/cli/cmd_dequantize.h"
#include "conformance/cli/cmd_inspect.h"
#include "conformance/cli/cmd_linear.h"
#include "conformance/cli/cmd_matmul.h"
#include "conformance/cli/cmd_quantize.h"
#include "conformance/cli/cmd_sim_speed.h"
#include "conformance/cli/cmd_spec.h"
#include "conformance/cli/command.h"
#ifdef ADAHOP_HAVE_CONFORM
#include "conformance/cli/cmd_conform.h"
#include "conformance/cli/cmd_explain.h"
#endif
#ifdef ADAHOP_HAVE_GFX950_SIM
#include "conformance/cli/cmd_sim.h"
#endif

namespace {

using adahop::cli::fail;

int run(int argc, char** argv) {
  CLI::App app("Bit-exact oracle and judge for AdaHOP-style MXFP4 kernels", "adahop");
  app.require_subcommand(1);
  app.set_version_flag("--version", "adahop " ADAHOP_VERSION);
  app.footer(
      "`adahop COMMAND --help` explains a command with an example.\n"
      "Exit status: 0 all is well, 1 something differs, 2 usage or bad input.");
#ifdef ADAHOP_HAVE_CONFORM
  adahop::cli::add_conform(app);
  adahop::cli::add_explain(app);
#endif
#ifdef ADAHOP_HAVE_GFX950_SIM
  adahop::cli::add_sim(app);
#endif
  adahop::cli::add_quantize(app);
  adahop::cli::add_dequantize(app);
  adahop::cli::add_inspect(app);
  adahop::cli::add_matmul(app);
  adahop::cli::add_calibrate(app);
  adahop::cli::add_linear(app);
  adahop::cli::add_certify(app);
  adahop::cli::add_backends(app);
  adahop::cli::add_sim_speed(app);
  adahop::cli::add_spec(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help and --version
  } catch (const CLI::RuntimeError& e) {
    return e.get_exit_code();
  } catch (const CLI::ParseError& e) {
    return fail(adahop::invalid_argument(std::string("usage: ") + e.what()));
  }
  return adahop::cli::kExitOk;
}

}  // namespace

int main(int argc, char** argv) {
  adahop::io::exit_where_a_mapping_fails(adahop::cli::kExitBadInput);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of write, not an end with a temporary file left
  int code = 0;
  try {
    code = run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail({ADAHOP_OUT_OF_MEMORY, "out of memory"});
  } catch (const std::system_error& e) {
    // fmt throws this where stdout is full or closed.
    if (std::ferror(stdout) != 0) return fail(adahop::io_error("standard output: cannot be written"));
    return fail({ADAHOP_INTERNAL, std::string("internal error: ") + e.what()});
  } catch (const std::exception& e) {
    return fail({ADAHOP_INTERNAL, std::string("internal error: ") + e.what()});
  }
  // Output that a full disk swallowed must not look like success.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return fail(adahop::io_error("standard output: cannot be written"));
  return code;
}
