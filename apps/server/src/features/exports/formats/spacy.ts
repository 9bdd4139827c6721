import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'
import { annotatedTexts, spanQuestionOf } from './spans.ts'

/**
 * One JSON object per line for each submitted answer: `text`, and `entities` as `[start, end, label]` in characters (code
 * points, as Python counts). `spacy.training.Example.from_dict` accepts them unchanged.
 */
export const spacy: FormatWriter = (context, { question }) => {
  const spanQuestion = spanQuestionOf(context, question)
  return {
    push: (records) => {
      let lines = ''
      for (const { text, spans, record, userId } of records.flatMap((one) => annotatedTexts(one, spanQuestion))) {
        const entities = spans.map(({ start, end, label }) => [start, end, label])
        const meta = { id: record.external_id, record: record.id, user: context.usernames.get(userId) ?? userId }
        lines += `${JSON.stringify({ text, entities, meta })}\n`
      }
      return Buffer.from(lines)
    },
    end: () => noBytes,
  }
}
