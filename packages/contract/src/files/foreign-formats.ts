import { z } from 'zod'

/** File formats of other programs. An import recognizes them by the file's content. */
export const foreignFormats = [
  'label_studio',
  'label_studio_min',
  'prodigy',
  'doccano',
  'spacy',
  'token_tags',
  'sharegpt',
  'openai',
  'chatgpt',
  'completions',
  'kto',
  'preference',
  'alpaca',
  'langfuse',
  'phoenix',
  'otlp',
  'langfuse_traces',
  'phoenix_traces',
  'message_traces',
] as const
export type ForeignFormat = (typeof foreignFormats)[number]

/** How the rows of a file are read: as a format of another program, or unchanged. */
export const readAs = ['plain', ...foreignFormats] as const
export type ReadAs = (typeof readAs)[number]

/** Why a part of a foreign file is not imported. */
export const leftOutReasons = ['unsupported', 'further', 'rejected', 'technical', 'unmapped'] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

/**
 * A part of a foreign file that is not imported. `part` is its name in the file, and `rows` is the number of rows that have the
 * part.
 */
export const LeftOut = z.strictObject({ part: z.string(), reason: z.enum(leftOutReasons), rows: z.int() })
export type LeftOut = z.infer<typeof LeftOut>

/** The maximum number of annotators that are listed for a file, and that a mapping can name. */
export const maxAnnotators = 1000

/**
 * A person whose annotations or comments a file contains. `name` is the person's name in the file. It is empty if the file names
 * nobody.
 */
export const ForeignAnnotator = z.strictObject({
  name: z.string(),
  annotations: z.int(),
  /** The number of comments by the person, if there are any. */
  comments: z.int().exactOptional(),
})
export type ForeignAnnotator = z.infer<typeof ForeignAnnotator>

/**
 * What the rows of a foreign file contain.
 * - `rows`: the number of rows that were read
 * - `whole`: whether these are all rows of the file
 * - `annotators`: the number of people who made annotations
 * - `annotations`: the people who made annotations or comments, in descending order of their number of annotations
 * - `left_out`: what is not imported
 */
export const ForeignContents = z.strictObject({
  rows: z.int(),
  whole: z.boolean(),
  annotators: z.int(),
  annotations: z.array(ForeignAnnotator),
  left_out: z.array(LeftOut),
})
export type ForeignContents = z.infer<typeof ForeignContents>
