// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Our own declarations of CUDA's and CUPTI's structures and numbers against the toolkit's, where there is
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/cupti_types.h"
#include "cuda/function_resources.h"
#include "cuda/profiler_types.h"
#include "exports/cudart_types.h"

#if __has_include(<cupti_activity.h>) && __has_include(<cupti_callbacks.h>) && __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_driver_cbid.h>
#include <cupti_runtime_cbid.h>

#if __has_include(<cupti_range_profiler.h>)
#define HAS_RANGE_PROFILER
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#endif

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 kernel_record;
#elif CUPTI_API_VERSION >= 18
typedef CUpti_ActivityKernel9 kernel_record;
#else
typedef CUpti_ActivityKernel4 kernel_record;
#endif

#define SAME_OFFSET(ours, our_field, theirs, their_field)                                                    \
  assert_int_equal(offsetof(ours, our_field), offsetof(theirs, their_field))

static void kernel_records_agree(void **state) {
  (void)state;
  SAME_OFFSET(struct gp_cupti_kernel, registers, kernel_record, registersPerThread);
  SAME_OFFSET(struct gp_cupti_kernel, start, kernel_record, start);
  SAME_OFFSET(struct gp_cupti_kernel, end, kernel_record, end);
  SAME_OFFSET(struct gp_cupti_kernel, device, kernel_record, deviceId);
  SAME_OFFSET(struct gp_cupti_kernel, grid, kernel_record, gridX);
  SAME_OFFSET(struct gp_cupti_kernel, block, kernel_record, blockX);
  SAME_OFFSET(struct gp_cupti_kernel, local_total, kernel_record, localMemoryTotal);
  SAME_OFFSET(struct gp_cupti_kernel, correlation, kernel_record, correlationId);
  SAME_OFFSET(struct gp_cupti_kernel, name, kernel_record, name);
}

static void copy_records_agree(void **state) {
  (void)state;
  SAME_OFFSET(struct gp_cupti_memcpy, direction, CUpti_ActivityMemcpy5, copyKind);
  SAME_OFFSET(struct gp_cupti_memcpy, start, CUpti_ActivityMemcpy5, start);
  SAME_OFFSET(struct gp_cupti_memcpy, device, CUpti_ActivityMemcpy5, deviceId);
  SAME_OFFSET(struct gp_cupti_memcpy, stream, CUpti_ActivityMemcpy5, streamId);
  SAME_OFFSET(struct gp_cupti_memcpy, correlation, CUpti_ActivityMemcpy5, correlationId);
  SAME_OFFSET(struct gp_cupti_memcpy_peer, end, CUpti_ActivityMemcpyPtoP4, end);
  SAME_OFFSET(struct gp_cupti_memcpy_peer, stream, CUpti_ActivityMemcpyPtoP4, streamId);
  SAME_OFFSET(struct gp_cupti_memcpy_peer, correlation, CUpti_ActivityMemcpyPtoP4, correlationId);
  SAME_OFFSET(struct gp_cupti_memset, start, CUpti_ActivityMemset4, start);
  SAME_OFFSET(struct gp_cupti_memset, stream, CUpti_ActivityMemset4, streamId);
  SAME_OFFSET(struct gp_cupti_memset, correlation, CUpti_ActivityMemset4, correlationId);
}

static void graph_records_agree(void **state) {
  (void)state;
  SAME_OFFSET(struct gp_cupti_graph, start, CUpti_ActivityGraphTrace, start);
  SAME_OFFSET(struct gp_cupti_graph, end, CUpti_ActivityGraphTrace, end);
  SAME_OFFSET(struct gp_cupti_graph, device, CUpti_ActivityGraphTrace, deviceId);
  SAME_OFFSET(struct gp_cupti_graph, stream, CUpti_ActivityGraphTrace, streamId);
}

/* The ranges hold exactly the functions that copy or fill, without those of graphs. */
static void copying_functions_agree(void **state) {
  (void)state;
  static const uint32_t ranges[][2] = GP_CUPTI_COPY_RANGES;
  static const uint32_t firsts[] = {
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,           CUPTI_RUNTIME_TRACE_CBID_cudaMemset3D_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyPeer_v4000,       CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_ptds_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemset3D_ptds_v7000,    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy3DPeer_ptds_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyBatchAsync_v12080};
  static const uint32_t lasts[] = {
      CUPTI_RUNTIME_TRACE_CBID_cudaMemset2DAsync_v3020,      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy3DAsync_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy3DPeerAsync_v4000,  CUPTI_RUNTIME_TRACE_CBID_cudaMemset2DAsync_ptsz_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy3DAsync_ptsz_v7000, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy3DPeerAsync_ptsz_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy3DBatchAsync_ptsz_v12080};
  for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
    assert_int_equal(ranges[i][0], firsts[i]);
    assert_int_equal(ranges[i][1], lasts[i]);
  }
}

static void correlation_records_agree(void **state) {
  (void)state;
  SAME_OFFSET(struct gp_cupti_call, site, CUpti_CallbackData, callbackSite);
  SAME_OFFSET(struct gp_cupti_call, result, CUpti_CallbackData, functionReturnValue);
  SAME_OFFSET(struct gp_cupti_call, symbol, CUpti_CallbackData, symbolName);
  SAME_OFFSET(struct gp_cupti_call, correlation, CUpti_CallbackData, correlationId);
  SAME_OFFSET(struct gp_cupti_resource, descriptor, CUpti_ResourceData, resourceDescriptor);
  SAME_OFFSET(struct gp_cupti_module, bytes, CUpti_ModuleResourceData, cubinSize);
  SAME_OFFSET(struct gp_cupti_module, cubin, CUpti_ModuleResourceData, pCubin);
  SAME_OFFSET(struct gp_cupti_external, external_kind, CUpti_ActivityExternalCorrelation, externalKind);
  SAME_OFFSET(struct gp_cupti_external, id, CUpti_ActivityExternalCorrelation, externalId);
  SAME_OFFSET(struct gp_cupti_external, correlation, CUpti_ActivityExternalCorrelation, correlationId);
  SAME_OFFSET(struct gp_cupti_record, kind, CUpti_Activity, kind);
}

static void cupti_numbers_agree(void **state) {
  (void)state;
  assert_int_equal(GP_CUPTI_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_RESOURCE);
  assert_int_equal(GP_CUPTI_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_LOADED);
  assert_int_equal(GP_CUPTI_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY);
  assert_int_equal(GP_CUPTI_MEMSET, CUPTI_ACTIVITY_KIND_MEMSET);
  assert_int_equal(GP_CUPTI_MEMCPY_PEER, CUPTI_ACTIVITY_KIND_MEMCPY2);
  assert_int_equal(GP_CUPTI_GRAPH, CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  assert_int_equal(GP_CUPTI_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  assert_int_equal(GP_CUPTI_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
  assert_int_equal(GP_CUPTI_CUSTOM0, CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0);
  assert_int_equal(GP_CUPTI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  assert_int_equal(GP_CUPTI_ERROR_MULTIPLE_SUBSCRIBERS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
  assert_int_equal(GP_CUPTI_DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API);
  assert_int_equal(GP_CUPTI_API_EXIT, CUPTI_API_EXIT);
  assert_int_equal(GP_CUPTI_DRIVER_LAUNCH, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
  assert_int_equal(GP_CUPTI_DRIVER_LAUNCH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
  assert_int_equal(GP_CUPTI_DRIVER_COOPERATIVE, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel);
  assert_int_equal(GP_CUPTI_DRIVER_COOPERATIVE_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz);
  assert_int_equal(GP_CUPTI_DRIVER_LAUNCH_EX, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
  assert_int_equal(GP_CUPTI_DRIVER_LAUNCH_EX_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz);
}

/* The blocks of the host's half are declared in a C++ header only (cupti_profiler_host.h). */
static void profiler_blocks_agree(void **state) {
  (void)state;
#ifdef HAS_RANGE_PROFILER
#define SAME_BLOCK(ours, last, theirs) assert_int_equal(GP_CUPTI_BYTES(ours, last), theirs##_STRUCT_SIZE)
  SAME_BLOCK(struct gp_cupti_plain, private_data, CUpti_Profiler_Initialize_Params);
  SAME_BLOCK(struct gp_cupti_chip, name, CUpti_Device_GetChipName_Params);
  SAME_BLOCK(struct gp_cupti_availability, image, CUpti_Profiler_GetCounterAvailability_Params);
  SAME_BLOCK(struct gp_cupti_enable, target, CUpti_RangeProfiler_Enable_Params);
  SAME_BLOCK(struct gp_cupti_target, target, CUpti_RangeProfiler_Disable_Params);
  SAME_BLOCK(struct gp_cupti_target, target, CUpti_RangeProfiler_Start_Params);
  SAME_BLOCK(struct gp_cupti_stop, all_passes_done, CUpti_RangeProfiler_Stop_Params);
  SAME_BLOCK(struct gp_cupti_decode, ranges_dropped, CUpti_RangeProfiler_DecodeData_Params);
  SAME_BLOCK(struct gp_cupti_data_size, data_bytes, CUpti_RangeProfiler_GetCounterDataSize_Params);
  SAME_BLOCK(struct gp_cupti_data, data, CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
  SAME_BLOCK(struct gp_cupti_data_info, ranges, CUpti_RangeProfiler_GetCounterDataInfo_Params);
  SAME_BLOCK(struct gp_cupti_set_config, target_nesting_level, CUpti_RangeProfiler_SetConfig_Params);
  SAME_OFFSET(struct gp_cupti_set_config, range, CUpti_RangeProfiler_SetConfig_Params, range);
  SAME_OFFSET(struct gp_cupti_set_config, ranges_per_pass, CUpti_RangeProfiler_SetConfig_Params,
              maxRangesPerPass);
  SAME_OFFSET(struct gp_cupti_set_config, pass, CUpti_RangeProfiler_SetConfig_Params, passIndex);
  SAME_OFFSET(struct gp_cupti_data_size, tree_nodes, CUpti_RangeProfiler_GetCounterDataSize_Params,
              maxNumRangeTreeNodes);
  assert_int_equal(GP_CUPTI_RANGE_AUTO, CUPTI_AutoRange);
  assert_int_equal(GP_CUPTI_REPLAY_KERNEL, CUPTI_KernelReplay);
  assert_int_equal(GP_CUPTI_ERROR_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
  assert_int_equal(GP_CUPTI_ERROR_VIRTUALIZED, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
  assert_int_equal(GP_CUPTI_ERROR_VIRTUALIZED_PRIVILEGES,
                   CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
  assert_int_equal(GP_CUPTI_ERROR_MIG, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
#endif
}

static void cuda_structures_agree(void **state) {
  (void)state;
  assert_int_equal(sizeof(struct gp_cuda_dim3), sizeof(struct dim3));
  assert_int_equal(sizeof(struct gp_cuda_extent), sizeof(struct cudaExtent));
  assert_int_equal(sizeof(struct gp_cuda_pitched), sizeof(struct cudaPitchedPtr));
  SAME_OFFSET(struct gp_cuda_pitched, xsize, struct cudaPitchedPtr, xsize);
  assert_int_equal(sizeof(struct gp_cuda_memcpy3d), sizeof(struct cudaMemcpy3DParms));
  SAME_OFFSET(struct gp_cuda_memcpy3d, dst_ptr, struct cudaMemcpy3DParms, dstPtr);
  SAME_OFFSET(struct gp_cuda_memcpy3d, kind, struct cudaMemcpy3DParms, kind);
  assert_int_equal(sizeof(struct gp_cuda_ipc_handle), sizeof(cudaIpcMemHandle_t));
  assert_int_equal(sizeof(struct gp_cuda_launch_attribute), sizeof(cudaLaunchAttribute));
  SAME_OFFSET(struct gp_cuda_launch_attribute, value, cudaLaunchAttribute, val);
  assert_int_equal(sizeof(struct gp_cuda_launch_config), sizeof(cudaLaunchConfig_t));
  SAME_OFFSET(struct gp_cuda_launch_config, stream, cudaLaunchConfig_t, stream);
  SAME_OFFSET(struct gp_cuda_launch_config, attribute_count, cudaLaunchConfig_t, numAttrs);
  assert_int_equal(sizeof(struct gp_cuda_kernel_node), sizeof(struct cudaKernelNodeParams));
  SAME_OFFSET(struct gp_cuda_kernel_node, arguments, struct cudaKernelNodeParams, kernelParams);
  SAME_OFFSET(struct gp_cuda_node_parameters, type, struct cudaGraphNodeParams, type);
  SAME_OFFSET(struct gp_cuda_node_parameters, body_count, struct cudaGraphNodeParams, conditional.size);
  SAME_OFFSET(struct gp_cuda_node_parameters, bodies, struct cudaGraphNodeParams, conditional.phGraph_out);
  assert_int_equal(GP_CUDA_NODE_CONDITIONAL, cudaGraphNodeTypeConditional);
  assert_int_equal(sizeof(struct gp_cuda_channel_format), sizeof(struct cudaChannelFormatDesc));
  assert_int_equal(offsetof(struct cudaDeviceProp, uuid), 256); /* read by describe() */
  assert_true(sizeof(struct cudaDeviceProp) < 8192);
  SAME_OFFSET(struct gp_cuda_function_attributes, shared_bytes, struct cudaFuncAttributes, sharedSizeBytes);
  SAME_OFFSET(struct gp_cuda_function_attributes, local_bytes, struct cudaFuncAttributes, localSizeBytes);
  SAME_OFFSET(struct gp_cuda_function_attributes, registers, struct cudaFuncAttributes, numRegs);
  SAME_OFFSET(struct gp_cuda_function_attributes, binary_version, struct cudaFuncAttributes, binaryVersion);
  SAME_OFFSET(struct gp_cuda_function_attributes, carveout, struct cudaFuncAttributes, preferredShmemCarveout);
  SAME_OFFSET(struct gp_cuda_function_attributes, cluster, struct cudaFuncAttributes, requiredClusterWidth);
  assert_true(sizeof(struct gp_cuda_function_attributes) >= sizeof(struct cudaFuncAttributes));
}

static void cuda_numbers_agree(void **state) {
  (void)state;
  assert_int_equal(GP_CUDA_ERROR_MISSING_CONFIGURATION, cudaErrorMissingConfiguration);
  assert_int_equal(GP_CUDA_ERROR_RUNTIME_UNLOADING, cudaErrorCudartUnloading);
  assert_int_equal(GP_CUDA_ERROR_NOT_READY, cudaErrorNotReady);
  assert_int_equal(GP_CUDA_ERROR_NOT_SUPPORTED, cudaErrorNotSupported);
  assert_int_equal(GP_CUDA_ERROR_CAPTURE_UNSUPPORTED, cudaErrorStreamCaptureUnsupported);
  assert_int_equal(GP_CUDA_ERROR_CAPTURE_INVALIDATED, cudaErrorStreamCaptureInvalidated);
  assert_int_equal(GP_CUDA_ERROR_CAPTURE_UNJOINED, cudaErrorStreamCaptureUnjoined);
  assert_int_equal(GP_CUDA_MEMCPY_HOST_TO_DEVICE, cudaMemcpyHostToDevice);
  assert_int_equal(GP_CUDA_MEMCPY_DEVICE_TO_HOST, cudaMemcpyDeviceToHost);
  assert_int_equal(GP_CUDA_ATTRIBUTE_CLOCK_KHZ, cudaDevAttrClockRate);
  assert_int_equal(GP_CUDA_ATTRIBUTE_SM_COUNT, cudaDevAttrMultiProcessorCount);
  assert_int_equal(GP_CUDA_ATTRIBUTE_MAJOR, cudaDevAttrComputeCapabilityMajor);
  assert_int_equal(GP_CUDA_ATTRIBUTE_MINOR, cudaDevAttrComputeCapabilityMinor);
  assert_int_equal(GP_CUDA_CAPTURE_NONE, cudaStreamCaptureStatusNone);
  assert_int_equal(GP_CUDA_CAPTURE_MODE_RELAXED, cudaStreamCaptureModeRelaxed);
  assert_int_equal(GP_CUDA_STREAM_NON_BLOCKING, cudaStreamNonBlocking);
  assert_int_equal(GP_CUDA_LAUNCH_ATTRIBUTE_COOPERATIVE, cudaLaunchAttributeCooperative);
  assert_int_equal(GP_CUDA_LAUNCH_ATTRIBUTE_CLUSTER, cudaLaunchAttributeClusterDimension);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernel_records_agree), cmocka_unit_test(correlation_records_agree), cmocka_unit_test(copy_records_agree), cmocka_unit_test(graph_records_agree),
      cmocka_unit_test(copying_functions_agree),
      cmocka_unit_test(cupti_numbers_agree),  cmocka_unit_test(cuda_structures_agree),
      cmocka_unit_test(cuda_numbers_agree),   cmocka_unit_test(profiler_blocks_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
/* 77: ctest shows the test as skipped. */
int main(void) {
  print_message("skipped: no CUDA toolkit with CUPTI's headers was found when this test was built\n");
  return 77;
}
#endif
