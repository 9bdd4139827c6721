import { ui } from '../harness/ui-text.ts'
import type { Given, Mind, Status } from './answers.ts'
import type { Annotator, Answer, JobRecord } from './data.ts'
import type { Screen } from './screen.ts'

/** The labels of every question that has some, in the order of the settings. */
export type Labels = { readonly [Q in 'section' | 'tags' | 'mentions' | 'candidates']: readonly string[] }

/** How an annotator does what there is to do. */
export type Hands = {
  readonly signIn: (annotator: Annotator) => Promise<void>
  readonly open: (dataset: string) => Promise<void>
  readonly search: (text: string) => Promise<void>
  readonly toTheQuestions: () => Promise<void>
  readonly clearSearch: () => Promise<void>
  /** Answers every question of the record on the screen; the focus is on its first question. */
  readonly answer: (record: JobRecord, answer: Answer, labels: Labels) => Promise<void>
  readonly save: (status: Status) => Promise<void>
  readonly next: () => Promise<void>
}

export type Worker = {
  readonly annotator: Annotator
  readonly mind: Mind
  readonly hands: Hands
  readonly screen: Screen
}

export type Job = {
  readonly dataset: string
  readonly records: ReadonlyMap<string, JobRecord>
  readonly labels: Labels
  /** What is searched for, and how many records have it. */
  readonly search: { readonly text: string; readonly found: number }
  /** Submitted in all, those found included. */
  readonly submits: number
}

const left = (count: number): string => ui('features/annotate:pager.pending', { formatted: count.toLocaleString('en') })

/** One annotator's hour: signs in, answers what a search finds, goes on with the queue, ends with a draft and a discard. */
export const work = async ({ annotator, mind, hands, screen }: Worker, job: Job): Promise<readonly Given[]> => {
  const given: Given[] = []
  let shown: string | null = null
  const answerNext = async (status: Status): Promise<void> => {
    shown = await screen.next(shown, 'section')
    const record = job.records.get(shown)
    if (!record) throw new Error(`“${shown}” is no record of the dataset`)
    const answer = mind(record, job.labels.section)
    await hands.answer(record, answer, job.labels)
    const pressedAt = Date.now()
    await hands.save(status)
    given.push({ external_id: record.external_id, answer, status, pressedAt })
  }

  await hands.signIn(annotator)
  await hands.open(job.dataset)
  // The list of datasets says how many are left, too: the dataset is open when its first question has the focus.
  await screen.isAtQuestion('section')
  await screen.says(left(job.records.size))
  await hands.search(job.search.text)
  await screen.says(left(job.search.found))
  await hands.toTheQuestions()
  for (let i = 0; i < job.search.found; i += 1) await answerNext('submitted')
  await screen.says(ui('features/annotate:end.noMatch', { query: job.search.text }))
  await hands.clearSearch()
  await screen.says(left(job.records.size - job.search.found))
  await hands.toTheQuestions()
  shown = null
  for (let i = job.search.found; i < job.submits; i += 1) await answerNext('submitted')
  await answerNext('draft')
  await screen.says(ui('features/annotate:deed.draft'))
  await hands.next()
  await answerNext('discarded')
  await screen.next(shown, 'section')
  return given
}
