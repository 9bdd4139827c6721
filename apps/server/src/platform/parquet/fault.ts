import { UnreadableFile } from '#platform/files/unreadable-file.ts'

/** A Parquet file that can't be read. */
export class ParquetFault extends UnreadableFile {}
