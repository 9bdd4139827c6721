/** A Parquet file that cannot be read; the message is the rest of a sentence that names the file. */
export class ParquetFault extends Error {}
