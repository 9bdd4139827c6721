import { piecesOf } from '#platform/http/answers/pieces.ts'
import type { FormatWriter } from '../context.ts'
import { noBytes } from '../context.ts'
import { type Annotated, annotatedTexts, spanQuestionOf } from './spans.ts'

/**
 * One JSON object per line for each submitted answer: `text`, and `entities` as `[start, end, label]` in characters (code
 * points, as Python counts). `spacy.training.Example.from_dict` accepts them unchanged.
 */
export const spacy: FormatWriter = (context, { question }) => {
  const spanQuestion = spanQuestionOf(context, question)
  const print = ({ text, spans, record, userId }: Annotated): string => {
    const entities = spans.map(({ start, end, label }) => [start, end, label])
    const meta = { id: record.external_id, record: record.id, user: context.usernames.get(userId) ?? userId }
    return `${JSON.stringify({ text, entities, meta })}\n`
  }
  return {
    push: (records) =>
      piecesOf(
        records
          .values()
          .flatMap((one) => annotatedTexts(one, spanQuestion))
          .map(print),
      ),
    end: () => noBytes,
  }
}
