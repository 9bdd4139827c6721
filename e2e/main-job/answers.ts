import type { Answer, JobRecord } from './data.ts'

export type Status = 'submitted' | 'draft' | 'discarded'
export type GivenAnswer = {
  readonly external_id: string
  readonly answer: Answer
  readonly status: Status
  /** Milliseconds since the epoch, just before the key press or click that saved the answer. */
  readonly pressedAt: number
}

/** Chooses an annotator's answer to a record. */
export type AnswerStrategy = (record: JobRecord, sections: readonly string[]) => Answer

/** Always gives the answer in the data. */
export const carefulStrategy: AnswerStrategy = ({ answer }) => answer

/**
 * Gives answers that differ from the answers in the data. For most questions, only the answers to some records differ. Which
 * records these are depends on the question.
 */
export const disagreeingStrategy: AnswerStrategy = ({ external_id, answer }, sections) => {
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
