// Input files in memory without a copy. Implements SPEC 12.10.
//
// A file is mapped read-only and privately; its header is read and judged from memory of our own first, so that no
// other process can change it between the check and the use. What another process does to the data meanwhile shows as
// it would to one who reads slowly: bytes that it changes are seen changed, and a file that it shortens ends in zeros
// up to the end of its last page. Beyond that page, or where the device fails, the access itself fails, as a signal
// (SIGBUS); the program turns it into its one line of error and its exit status, see exit_where_a_mapping_fails().
// Nothing is half-written then: outputs are made of computed memory and appear by a rename (SPEC 12.6).
#pragma once
#include "adahop/io/file.h"
#include "adahop/io/tensor_bytes.h"

namespace adahop::io {

/// All size() bytes of an open file, mapped, or read where its file system cannot map. ADAHOP_OUT_OF_MEMORY where there
/// is no room for them; ADAHOP_IO for what reading refuses.
result<tensor_bytes> content_of(input_file& file);

/// For a program's main(): from now on, an access to a mapped file that the file no longer answers prints
/// "adahop: PATH: read: ..." on stderr and ends the process with this status at once. Other SIGBUS go where they went.
/// Without it, as in any process that uses this library alone, the signal ends the process.
void exit_where_a_mapping_fails(int exit_status);

}  // namespace adahop::io
