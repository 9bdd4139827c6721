import type { Answer, JobRecord } from './data.ts'

export type Status = 'submitted' | 'draft' | 'discarded'
export type Given = {
  readonly external_id: string
  readonly answer: Answer
  readonly status: Status
  /** Milliseconds since the epoch, before the key or button that saved it. */
  readonly pressedAt: number
}

/** Picks the answer that an annotator gives to a record. */
export type Mind = (record: JobRecord, sections: readonly string[]) => Answer

/** Answers as the data says. */
export const careful: Mind = ({ answer }) => answer

/** Answers otherwise to every question, now and then. */
export const otherMind: Mind = ({ external_id, answer }, sections) => {
  const turn = external_id.length
  return {
    section: turn % 3 === 0 ? (sections[(sections.indexOf(answer.section) + turn) % sections.length] ?? '') : answer.section,
    tags: turn % 2 === 0 ? answer.tags : answer.tags.slice(-1),
    usefulness: 6 - answer.usefulness,
    summary: `${answer.summary} – so be it “ça va”`,
    mentions: answer.mentions.filter((_, index) => (index + turn) % 2 === 0),
    candidates: answer.candidates.map(({ value, rank }) => ({ value, rank: turn % 4 === 0 ? Math.min(rank, 2) : 4 - rank })),
  }
}
