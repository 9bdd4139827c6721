import type { FormatWriter } from '../context.ts'
import { nothing } from '../context.ts'
import { annotatedTexts, spanQuestionOf } from './spans.ts'

/**
 * A JSON object a line for each submitted answer: `text`, and `entities` as `[start, end, label]` in characters (code
 * points, as Python counts), which `spacy.training.Example.from_dict` takes as they are.
 */
export const spacy: FormatWriter = (context, { question }) => {
  const asked = spanQuestionOf(context, question)
  return {
    push: (records) => {
      let lines = ''
      for (const { text, spans, record, userId } of records.flatMap((one) => annotatedTexts(one, asked))) {
        const entities = spans.map(({ start, end, label }) => [start, end, label])
        const meta = { id: record.external_id, record: record.id, user: context.usernames.get(userId) ?? userId }
        lines += `${JSON.stringify({ text, entities, meta })}\n`
      }
      return Buffer.from(lines)
    },
    end: () => nothing,
  }
}
