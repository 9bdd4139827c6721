import type { Field } from '@postil/contract/fields.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { createShared } from '#question-types/shared-state.ts'
import { RecordFields } from './RecordFields.tsx'
import styles from './RecordReading.module.css'

const nothing = (): void => {}

/** The fields of a record as annotators see them, without its questions. */
export const RecordReading = ({ record, fields }: { readonly record: AnnotationRecord; readonly fields: readonly Field[] }) => (
  <div className={styles['fields']}>
    <RecordFields
      key={record.id}
      record={record}
      fields={fields}
      questions={[]}
      answers={{}}
      search={null}
      sharedOf={createShared}
      onAnswer={nothing}
      onFocusQuestion={nothing}
    />
  </div>
)
