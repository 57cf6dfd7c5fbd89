/* SPDX-License-Identifier: MIT */
/* What an HDF5 file begins with, for those that must know one when they see it. */
#ifndef BASE_HDF_SIGNATURE_H
#define BASE_HDF_SIGNATURE_H

#define HDF_SIGNATURE "\x89HDF\r\n\x1a\n"
#define HDF_SIGNATURE_SIZE (sizeof HDF_SIGNATURE - 1)

#endif
