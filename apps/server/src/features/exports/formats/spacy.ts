import { questionOf } from '../annotations.ts'
import type { FormatWriter } from '../context.ts'
import { jsonLines } from './json-lines.ts'
import { annotatedTexts, overlap, trimmed } from './spans.ts'

/** The name under which spaCy's span categorizer looks for spans. */
const SPANS_KEY = 'sc'

/**
 * One JSON object per line for each annotation: `text`, and either `entities` as `[start, end, label]`, or `spans` if the spans
 * overlap. Offsets count characters (code points, as in Python). If the question allows overlapping spans, all rows have `spans`,
 * so that a span categorizer can be trained with all rows. `spacy.training.Example.from_dict` accepts the rows unchanged.
 */
export const spacy: FormatWriter = (context, { question: wanted, shape }) => {
  const question = questionOf(context, wanted, 'spacy')
  const { settings } = question
  const canOverlap = 'allow_overlapping' in settings && settings.allow_overlapping
  return jsonLines((record) =>
    annotatedTexts(record, question, { context, shape }).map(({ text, spans, user }) => {
      const found = trimmed(text, spans)
      const printed = found.map(({ start, end, label }) => [start, end, label])
      const areFlat = !overlap(found)
      return {
        text,
        ...(areFlat && { entities: printed }),
        ...((canOverlap || !areFlat) && { spans: { [SPANS_KEY]: printed } }),
        meta: { id: record.external_id, record: record.id, user },
      }
    }),
  )
}
