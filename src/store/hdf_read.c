/* SPDX-License-Identifier: MIT */
/* Reading datasets in bounded memory; see hdf.h. */
#include "base/memory_bound.h"
#include "store/hdf.h"

#define READING_BYTES ((size_t)128 << 20)
#define CHUNK_BYTES_MAX 4294967296.0

/* Of a chunk as its sizes say; 0 where there are none. */
static size_t chunk_bytes(hid_t dataset)
{
    hsize_t sizes[H5S_MAX_RANK];
    hid_t list = H5Dget_create_plist(dataset);
    hid_t type = H5Dget_type(dataset);
    int rank = H5Pget_layout(list) == H5D_CHUNKED ? H5Pget_chunk(list, H5S_MAX_RANK, sizes) : 0;
    double bytes = rank > 0 ? (double)H5Tget_size(type) : 0;
    for (int i = 0; i < rank; i++) {
        bytes *= (double)sizes[i];
    }
    H5Tclose(type);
    H5Pclose(list);
    return bytes < CHUNK_BYTES_MAX ? (size_t)bytes : (size_t)CHUNK_BYTES_MAX;
}

herr_t hdf_read(hid_t dataset, hid_t type, hid_t memory, hid_t place, hid_t how, void *values)
{
    struct memory_bound bound;
    memory_bound_begin(&bound, READING_BYTES + 8 * chunk_bytes(dataset));
    herr_t status = H5Dread(dataset, type, memory, place, how, values);
    memory_bound_end(&bound);
    return status;
}
