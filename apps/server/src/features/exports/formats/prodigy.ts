import type { Span } from '@postil/contract/answer-value.ts'
import { answerFormOf } from '@postil/contract/question-types/answer-form.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { type Answer, answersTo, authorOf, questionOf } from '../annotations.ts'
import type { FormatWriter } from '../context.ts'
import { jsonLines } from './json-lines.ts'
import { askedText } from './texts.ts'

const secondsOf = ({ updated_at }: Response): number => Math.floor(Date.parse(`${updated_at}Z`) / 1000)

/** The key under which Prodigy's text input interface stores the text. */
const TEXT_KEY = 'user_input'

/**
 * One task per line for each annotation. Depending on the question, the answer is in `spans`, in `accept` (a choice from
 * `options`), or in a text. For a discarded answer, the task's `answer` is `ignore`. Records without an annotation become tasks
 * without an answer. Files with final answers leave such records out.
 */
export const prodigy: FormatWriter = (context, { question: wanted, shape }) => {
  const question = questionOf(context, wanted, 'prodigy')
  const { settings, name } = question
  const form = answerFormOf(settings)
  const options =
    form !== 'spans' && 'options' in settings
      ? settings.options.map((one) => ({ id: one.value, text: 'text' in one ? one.text : String(one.value) }))
      : []
  const common = options.length === 0 ? {} : { options, config: { choice_style: form === 'labels' ? 'multiple' : 'single' } }
  const answerOf = ({ value }: Answer): object => {
    if (form === 'spans') return { spans: (value as readonly Span[]).map(({ start, end, label }) => ({ start, end, label })) }
    return form === 'text' ? { [TEXT_KEY]: value, field_id: TEXT_KEY } : { accept: [value].flat() as readonly JsonValue[] }
  }
  const sessionOf = (user: string | null, response: Response | null): object => ({
    ...(user !== null && { _annotator_id: user, _session_id: user }),
    ...(response !== null && { _timestamp: secondsOf(response) }),
  })
  return jsonLines((record) => {
    const task = {
      text: askedText(question, record, context),
      ...common,
      meta: { ...record.metadata, id: record.external_id ?? record.id },
    }
    const answered = answersTo(name, record, context, shape).map((answer) => ({
      ...task,
      ...answerOf(answer),
      answer: 'accept',
      ...sessionOf(answer.user, answer.response),
    }))
    if (shape === 'final') return answered
    const ignored = (record.responses ?? [])
      .filter(({ status }) => status === 'discarded')
      .map((response) => ({ ...task, answer: 'ignore', ...sessionOf(authorOf(response, context), response) }))
    const tasks = [...answered, ...ignored]
    return tasks.length > 0 ? tasks : [task]
  })
}
