/* The C ABI between the conformance program and a backend.
 *
 * A backend is a shared library that exports one function, `adahop_backend_entry`, which returns a constant table.
 * Plain C types, caller-owned memory, no exceptions across it. Every matrix is a strided view with the contracted
 * ("inner") dimension last: the left operand of a product is [M x K], the right one [N x K] (its transpose as a view),
 * so quantizing "along axis 0" is quantizing the transposed view. Semantics: SPEC.md; clause numbers stand beside the
 * fields. Every function returns an adahop_status; on anything but ADAHOP_OK, last_error() says why and outputs are
 * unspecified. Functions may be called from several threads at once. Outputs must not overlap inputs, but for
 * scatter_add's out, which may be the very view of c.
 */
#ifndef ADAHOP_BACKEND_H
#define ADAHOP_BACKEND_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ADAHOP_ABI_VERSION 1u

typedef enum adahop_status {
  ADAHOP_OK = 0,
  ADAHOP_INVALID_ARGUMENT = 1, /* shape, stride, pointer or enum out of its documented range */
  ADAHOP_UNSUPPORTED = 2,      /* legal, but this backend's capability record does not claim it */
  ADAHOP_NONFINITE = 3,        /* a NaN or Inf under policy nonfinite = reject; result says where */
  ADAHOP_BAD_FILE = 4,         /* a file whose content is not what its format demands */
  ADAHOP_IO = 5,               /* the operating system refused: open, read, write, rename */
  ADAHOP_OUT_OF_MEMORY = 6,
  ADAHOP_DEVICE = 7,           /* no device, a failed launch, or a fault found by an execution checker */
  ADAHOP_INTERNAL = 8          /* a bug in the backend */
} adahop_status;

typedef enum adahop_dtype { ADAHOP_F32 = 0, ADAHOP_BF16 = 1 } adahop_dtype;

/* ---- The policy record (SPEC chapter 4) ---- */
typedef enum adahop_scale_rule {
  ADAHOP_SCALE_FLOOR = 0, ADAHOP_SCALE_CEIL = 1, ADAHOP_SCALE_EVEN = 2, ADAHOP_SCALE_RCEIL = 3
} adahop_scale_rule;
typedef enum adahop_element_rounding {
  ADAHOP_ROUND_RNE = 0, ADAHOP_ROUND_STOCHASTIC = 1, ADAHOP_ROUND_GFX950_SR = 2
} adahop_element_rounding;
typedef enum adahop_nonfinite { ADAHOP_NONFINITE_BLOCK_NAN = 0, ADAHOP_NONFINITE_REJECT = 1 } adahop_nonfinite;
typedef enum adahop_hadamard_signs { ADAHOP_SIGNS_NONE = 0, ADAHOP_SIGNS_RANDOM = 1 } adahop_hadamard_signs;
typedef enum adahop_gemm_model {
  ADAHOP_GEMM_BLOCK_RNE = 0, ADAHOP_GEMM_EXACT_SUM = 1, ADAHOP_GEMM_MFMA_FUSED = 2, ADAHOP_GEMM_MFMA_SEQ = 3,
  ADAHOP_GEMM_CDNA3_TRFDPA = 4, ADAHOP_GEMM_CDNA3_GTRFDPA = 5, ADAHOP_GEMM_BLOCK_FIRST_FDPA = 6
} adahop_gemm_model;
typedef enum adahop_bf16_gemm_model {
  ADAHOP_BF16_SEQ_FMA = 0, ADAHOP_BF16_EXACT_SUM = 1, ADAHOP_BF16_CDNA3_TRFDPA = 2
} adahop_bf16_gemm_model;
typedef enum adahop_left_oe_on_dw { ADAHOP_LEFT_OE_PUBLISHED = 0, ADAHOP_LEFT_OE_PORT = 1 } adahop_left_oe_on_dw;
typedef enum adahop_pad { ADAHOP_PAD_ERROR = 0, ADAHOP_PAD_ZERO = 1 } adahop_pad;
typedef enum adahop_nibble_order { ADAHOP_NIBBLES_LINEAR = 0, ADAHOP_NIBBLES_GGML_SPLIT = 1 } adahop_nibble_order;
typedef enum adahop_scale_layout { ADAHOP_LAYOUT_LINEAR = 0, ADAHOP_LAYOUT_GFX950_SHUFFLE = 1 } adahop_scale_layout;

typedef struct adahop_policy {
  uint32_t struct_size;        /* sizeof(adahop_policy) */
  int32_t scale_rule;          /* adahop_scale_rule */
  int32_t min_scale_byte;      /* 0 or 1 */
  int32_t element_rounding;    /* adahop_element_rounding */
  int32_t sr_bits;             /* 1..32, stochastic only */
  int32_t nonfinite;           /* adahop_nonfinite */
  uint64_t sr_seed;
  uint64_t sr_offset;
  int32_t hadamard_size;       /* 16, 32, 64, 128 */
  int32_t hadamard_signs;      /* adahop_hadamard_signs */
  uint64_t hadamard_seed;
  int32_t hadamard_output;     /* adahop_dtype */
  int32_t gemm_model;          /* adahop_gemm_model */
  int32_t gemm_model_param;    /* n or L of the model, 0 where it has none */
  int32_t bf16_gemm_model;     /* adahop_bf16_gemm_model */
  int32_t bf16_gemm_model_param;
  int32_t output;              /* adahop_dtype of matmul's C */
  double pattern_ratio;
  double pattern_eps;
  int32_t oe_k;                /* >= 1 */
  int32_t foid_window;         /* 32 or 64 */
  int32_t left_oe_on_dw;       /* adahop_left_oe_on_dw */
  int32_t pad;                 /* adahop_pad */
  int32_t nibble_order;        /* adahop_nibble_order */
  int32_t scale_layout;        /* adahop_scale_layout */
} adahop_policy;

/* ---- Data ---- */

/* A strided matrix; dimensions are 0 to 2^31 - 1, 2^40 elements at most (SPEC 3.4). Strides count
 * elements, are positive wherever the dimension is above 1, and put no two elements further apart than 2^40 of them. `data`
 * is element (0,0), aligned to the element's size, which nobody checks. */
typedef struct adahop_view {
  void* data;
  int32_t dtype;
  int32_t reserved;
  int64_t rows, cols;
  int64_t row_stride, col_stride;
} adahop_view;

/* An MXFP4 matrix [outer x inner], inner a multiple of 32 (SPEC 3.1, 3.2): codes [outer][inner/2] bytes, scales
 * [outer][inner/32] bytes, rows codes_stride and scales_stride bytes apart, which is a row's
 * length at least and 2^40 for all rows together at most. Under policy scale_layout =
 * gfx950_shuffle, scales is one array of the size and order of SPEC 3.5 and scales_stride is not used. Under policy
 * pad = zero a quantizing call takes a view whose inner dimension is any, and out.inner is the extended one (SPEC 3.7);
 * dequantize then takes an out view with the logical one. */
typedef struct adahop_mx {
  uint8_t* codes;
  uint8_t* scales;
  int64_t outer, inner;
  int64_t codes_stride, scales_stride;
} adahop_mx;

typedef enum adahop_pattern { ADAHOP_PATTERN_NONE = 0, ADAHOP_PATTERN_ROW = 1, ADAHOP_PATTERN_COLUMN = 2 } adahop_pattern;
typedef enum adahop_path { ADAHOP_PATH_FORWARD = 0, ADAHOP_PATH_DX = 1, ADAHOP_PATH_DW = 2 } adahop_path;
typedef enum adahop_side { ADAHOP_SIDE_LEFT = 0, ADAHOP_SIDE_RIGHT = 1 } adahop_side;

/* What a quantizing call reports; host memory. */
typedef struct adahop_quantize_result {
  int64_t clipped;          /* elements with |v| / scale > 6; a NaN block counts 0 (SPEC 5.9) */
  int64_t first_nonfinite;  /* outer*inner_count + inner of the first NaN or Inf in stored order, -1 if none */
} adahop_quantize_result;

typedef struct adahop_pattern_result {
  int32_t pattern;          /* adahop_pattern */
  int32_t reserved;
  double cv_row, cv_col;    /* normalised CVs of SPEC chapter 7; NaN where undefined */
} adahop_pattern_result;

/* ---- Calls: one argument struct an operation. Input views are read only. ----
 * Index lists are ascending, each index once. More indices than the dimension that they count (found before the list is
 * read), or one that is out of range, repeated or out of order, is ADAHOP_INVALID_ARGUMENT in either memory. */
typedef struct adahop_quantize_args {
  const adahop_policy* policy;
  adahop_view x;            /* [outer x inner], F32 or BF16 */
  adahop_mx out;
  adahop_quantize_result* result; /* may be null */
} adahop_quantize_args;

typedef struct adahop_dequantize_args {
  const adahop_policy* policy;
  adahop_mx x;
  adahop_view out;          /* [outer x inner], F32, or BF16 (exact but for overflow, SPEC 5.10) */
} adahop_dequantize_args;

typedef struct adahop_hadamard_args {
  const adahop_policy* policy; /* hadamard_output must equal out.dtype */
  adahop_view x;            /* [outer x inner], transformed along inner */
  adahop_view out;
} adahop_hadamard_args;

typedef struct adahop_hadamard_quantize_args {
  const adahop_policy* policy;
  adahop_view x;
  const int32_t* zeroed;    /* outer indices treated as all +0 before the transform; null where there are none */
  int64_t zeroed_count;
  adahop_mx out;
  adahop_quantize_result* result;
} adahop_hadamard_quantize_args;

typedef struct adahop_pattern_args {
  const adahop_policy* policy;
  adahop_view x;            /* [R x C] in its own orientation */
  double* row_variance;     /* [R], may be null */
  double* col_variance;     /* [C], may be null */
  adahop_pattern_result* result;
} adahop_pattern_args;

typedef struct adahop_select_outliers_args {
  const adahop_policy* policy;
  adahop_view x;            /* [n x length]: candidates are rows; pass the transposed view for columns */
  float* scores;            /* [n], may be null */
  int32_t* indices;         /* [min(oe_k, n)], ascending */
  int64_t* count;           /* host: number written */
} adahop_select_outliers_args;

typedef struct adahop_extract_outliers_args {
  adahop_view x;            /* [n x length], BF16 */
  const int32_t* indices;
  int64_t count;
  adahop_view out;          /* [count x length], BF16 */
} adahop_extract_outliers_args;

typedef struct adahop_mx_gemm_args {
  const adahop_policy* policy;
  adahop_mx a;              /* [M x K] */
  adahop_mx b;              /* [N x K] */
  adahop_view out;          /* [M x N], F32 or BF16 */
} adahop_mx_gemm_args;

typedef struct adahop_bf16_gemm_args {
  const adahop_policy* policy;
  adahop_view a;            /* [M x K], BF16 */
  adahop_view b;            /* [N x K], BF16 */
  adahop_view out;          /* [M x N], F32 or BF16 */
} adahop_bf16_gemm_args;

typedef struct adahop_scatter_add_args {
  const adahop_policy* policy;
  adahop_view c;            /* [M x N], F32: the MX part */
  adahop_view outlier;      /* LEFT: [count x N]; RIGHT: [M x count]; F32 */
  const int32_t* indices;   /* rows (LEFT) or columns (RIGHT) of C */
  int64_t count;
  int32_t side;             /* adahop_side */
  int32_t reserved;
  adahop_view out;          /* [M x N], F32 or BF16; may be the view c itself */
} adahop_scatter_add_args;

typedef struct adahop_matmul_args {
  const adahop_policy* policy;
  int32_t level;            /* 1 or 2 */
  int32_t left_pattern;     /* adahop_pattern of the left operand as it enters the product */
  int32_t right_pattern;
  int32_t path;             /* adahop_path */
  adahop_view a;            /* [M x K], BF16 */
  adahop_view b;            /* [N x K], BF16 */
  adahop_view out;          /* [M x N], dtype = policy.output */
} adahop_matmul_args;

typedef enum adahop_op {
  ADAHOP_OP_QUANTIZE = 0, ADAHOP_OP_DEQUANTIZE = 1, ADAHOP_OP_HADAMARD = 2, ADAHOP_OP_HADAMARD_QUANTIZE = 3,
  ADAHOP_OP_PATTERN = 4, ADAHOP_OP_SELECT_OUTLIERS = 5, ADAHOP_OP_EXTRACT_OUTLIERS = 6, ADAHOP_OP_MX_GEMM = 7,
  ADAHOP_OP_BF16_GEMM = 8, ADAHOP_OP_SCATTER_ADD = 9, ADAHOP_OP_MATMUL = 10, ADAHOP_OP_COUNT = 11
} adahop_op;

typedef enum adahop_memory { ADAHOP_MEMORY_HOST = 0, ADAHOP_MEMORY_DEVICE = 1 } adahop_memory;
typedef enum adahop_mode { ADAHOP_MODE_BITEXACT = 0, ADAHOP_MODE_NATIVE = 1 } adahop_mode;

/* How a call runs. Result structs and counts are always host memory and valid on return. A null exec, another
 * struct_size and a number outside its enum are ADAHOP_INVALID_ARGUMENT; a mode or memory of the enum that the backend
 * does not claim is ADAHOP_UNSUPPORTED. */
typedef struct adahop_exec {
  uint32_t struct_size;
  int32_t mode;             /* adahop_mode; native: MX products accumulate as the device does, whatever gemm_model says */
  int32_t memory;           /* where views, codes, scales and index arrays live */
  int32_t reserved;
  void* stream;             /* the device's stream handle; null = default; ignored for host memory */
  void* workspace;          /* null: the backend allocates; else at least workspace_size() bytes where `memory` says */
  uint64_t workspace_bytes;
} adahop_exec;

/* What the backend claims. Bit i of a mask stands for enum value i. A claimed thing that fails is a failure; what is
 * not claimed is reported as not covered. */
typedef struct adahop_capabilities {
  uint32_t struct_size;
  uint32_t ops, modes, memories;
  uint32_t scale_rules, element_roundings, nonfinite, hadamard_signs;
  uint32_t hadamard_sizes;  /* bit 0: 16, bit 1: 32, bit 2: 64, bit 3: 128 */
  uint32_t hadamard_outputs, gemm_models, bf16_gemm_models, outputs;
  uint32_t pads, nibble_orders, scale_layouts, left_oe_on_dw;
} adahop_capabilities;

typedef struct adahop_backend {
  uint32_t abi_version;     /* ADAHOP_ABI_VERSION */
  uint32_t struct_size;     /* sizeof(adahop_backend): a table of any other size, shorter ones too, is refused */
  const char* name;         /* "reference", "hip-cpu", ... */
  const char* device;       /* one line for people: what executes */
  adahop_capabilities capabilities;
  int32_t (*workspace_size)(int32_t op, const void* args, uint64_t* bytes);
  int32_t (*quantize)(const adahop_exec*, const adahop_quantize_args*);
  int32_t (*dequantize)(const adahop_exec*, const adahop_dequantize_args*);
  int32_t (*hadamard)(const adahop_exec*, const adahop_hadamard_args*);
  int32_t (*hadamard_quantize)(const adahop_exec*, const adahop_hadamard_quantize_args*);
  int32_t (*pattern)(const adahop_exec*, const adahop_pattern_args*);
  int32_t (*select_outliers)(const adahop_exec*, const adahop_select_outliers_args*);
  int32_t (*extract_outliers)(const adahop_exec*, const adahop_extract_outliers_args*);
  int32_t (*mx_gemm)(const adahop_exec*, const adahop_mx_gemm_args*);
  int32_t (*bf16_gemm)(const adahop_exec*, const adahop_bf16_gemm_args*);
  int32_t (*scatter_add)(const adahop_exec*, const adahop_scatter_add_args*);
  int32_t (*matmul)(const adahop_exec*, const adahop_matmul_args*);
  /* Device memory and streams for callers that have no device API of their own (SPEC 13.7): all of them where
   * capabilities.memories claims ADAHOP_MEMORY_DEVICE, else null. Memory has 1 byte at least and any content at first;
   * releasing null does nothing. A copy comes after the earlier work of its stream (null = default), and source and
   * target are the caller's again when it returns; a range that leaves the allocation is an error where noticed. */
  int32_t (*device_allocate)(uint64_t bytes, void** memory);
  int32_t (*device_release)(void* memory);
  int32_t (*copy_to_device)(void* target, const void* source, uint64_t bytes, void* stream);
  int32_t (*copy_to_host)(void* target, const void* source, uint64_t bytes, void* stream);
  int32_t (*stream_create)(void** stream); /* never null: that is the default stream */
  int32_t (*stream_release)(void* stream);
  /* Sets a backend's own option, "lane_seed" or "threads" say; ADAHOP_UNSUPPORTED for an unknown key. */
  int32_t (*set_option)(const char* key, const char* value);
  /* The calling thread's last error, one line; never null. */
  const char* (*last_error)(void);
} adahop_backend;

/* The exported symbol. Returns null where the asked version cannot be served. */
typedef const adahop_backend* (*adahop_backend_entry_fn)(uint32_t abi_version);
const adahop_backend* adahop_backend_entry(uint32_t abi_version);

#ifdef __cplusplus
}
#endif
#endif
