import type { Encoding } from '@postil/contract/files/encodings.ts'
import type { ReadAs } from '@postil/contract/files/foreign-formats.ts'
import type { TextUnit } from '@postil/contract/files/import-formats.ts'

/** The user's choices about how to read a file. Everything else is recognized by content. */
export type ReadingChoice = {
  /** The index of a workbook's sheet. Default: the first with readable rows. */
  readonly sheet?: number | undefined
  /** The format of another program, or `plain`. */
  readonly as?: ReadAs | undefined
  readonly encoding?: Encoding | undefined
  /** For tables: one ASCII character, or NUL for none. */
  readonly separator?: string | undefined
  /** For tables: the number of the line or sheet row that contains the heading. 0 if there is no heading. */
  readonly heading_row?: number | undefined
  /** For text files: the unit of text that is imported as one record. */
  readonly unit?: TextUnit | undefined
}
