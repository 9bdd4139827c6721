import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import { int, json, nullable, real, text, time, uuid } from './columns.ts'

export const testItemTables = {
  /** Each row is a record that the queue has assigned to a person as a test item. The row also contains the person's answer. */
  test_items: {
    dataset_no: int(),
    seq: int(),
    user_id: uuid(),
    id: uuid(),
    record_id: uuid(),
    values: json<{ [question: string]: { value: unknown } }>(),
    suggestion_outcomes: nullable(json<SuggestionOutcomes>()),
    /** Null while there is no answer. */
    status: nullable(text<'draft' | 'submitted' | 'discarded'>()),
    active_ms: nullable(int()),
    /** 0 before the first answer. Increases with each change. */
    version: int(),
    last_mutation_id: nullable(text()),
    /** How correct the submitted answer is, from 0 to 1. Null if none of its questions can be scored. */
    rightness: nullable(real()),
    /** The version of the final answers against which the answer was scored. */
    gold_version: nullable(int()),
    /** When the record was assigned. Once there is an answer, when the answer was given. */
    inserted_at: time(),
    updated_at: time(),
  },
  /** The people who get test items. */
  test_people: {
    dataset_no: int(),
    user_id: uuid(),
    /** How many records had been assigned to the person when the last test item was assigned. */
    handed_out: int(),
    /**
     * When a lead last let the person continue. When Postil decides whether to stop the person again, it counts only answers that
     * were given later.
     */
    continued_at: nullable(time()),
  },
}
