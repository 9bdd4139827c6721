/** A Parquet file that can't be read. The message completes a sentence that starts with the file. */
export class ParquetFault extends Error {}
