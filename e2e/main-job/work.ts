import { ui } from '../harness/ui-text.ts'
import type { AnswerStrategy, GivenAnswer, Status } from './answers.ts'
import type { Annotator, Answer, JobRecord } from './data.ts'
import type { Screen } from './screen.ts'

/** The labels of every question that has labels, in the order of the settings. */
export type Labels = { readonly [Q in 'section' | 'tags' | 'mentions' | 'candidates']: readonly string[] }

export type InputMethod = {
  readonly signIn: (annotator: Annotator) => Promise<void>
  readonly open: (dataset: string) => Promise<void>
  readonly search: (text: string) => Promise<void>
  readonly focusQuestions: () => Promise<void>
  readonly clearSearch: () => Promise<void>
  /** Answers every question of the current record. The focus must be on its first question. */
  readonly answer: (record: JobRecord, answer: Answer, labels: Labels) => Promise<void>
  readonly save: (status: Status) => Promise<void>
  readonly next: () => Promise<void>
}

export type Worker = {
  readonly annotator: Annotator
  readonly strategy: AnswerStrategy
  readonly input: InputMethod
  readonly screen: Screen
}

export type Job = {
  readonly dataset: string
  readonly records: ReadonlyMap<string, JobRecord>
  readonly labels: Labels
  readonly search: { readonly text: string; readonly found: number }
  /** Number of answers to submit in total, including those to the search results. */
  readonly submits: number
}

const leftText = (count: number): string => ui('features/annotate:pager.pending', { count })

/**
 * One annotator's session: signs in, answers the search results, continues with the queue, and ends with a draft and a
 * discarded answer.
 */
export const work = async ({ annotator, strategy, input, screen }: Worker, job: Job): Promise<readonly GivenAnswer[]> => {
  const givenAnswers: GivenAnswer[] = []
  let shown: string | null = null
  const answerNext = async (status: Status): Promise<void> => {
    shown = await screen.next(shown, 'section')
    const record = job.records.get(shown)
    if (!record) throw new Error(`the dataset has no record “${shown}”`)
    const answer = strategy(record, job.labels.section)
    await input.answer(record, answer, job.labels)
    const pressedAt = Date.now()
    await input.save(status)
    givenAnswers.push({ external_id: record.external_id, answer, status, pressedAt })
  }

  await input.signIn(annotator)
  await input.open(job.dataset)
  // The list of datasets also shows the number of remaining records. The check must therefore wait until the first question has
  // the focus.
  await screen.isAtQuestion('section')
  await screen.says(leftText(job.records.size))
  await input.search(job.search.text)
  await screen.says(leftText(job.search.found))
  await input.focusQuestions()
  for (let i = 0; i < job.search.found; i += 1) await answerNext('submitted')
  await screen.says(ui('features/annotate:end.noMatch', { query: job.search.text }))
  await input.clearSearch()
  await screen.says(leftText(job.records.size - job.search.found))
  await input.focusQuestions()
  shown = null
  for (let i = job.search.found; i < job.submits; i += 1) await answerNext('submitted')
  await answerNext('draft')
  await screen.says(ui('features/annotate:done.draft'))
  await input.next()
  await answerNext('discarded')
  await screen.next(shown, 'section')
  return givenAnswers
}
