import type { Field } from '@postil/contract/fields.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { createShared } from '#question-types/shared-state.ts'
import { RecordFields } from '../record/RecordFields.tsx'
import styles from './ReferenceRecord.module.css'

type Props = { readonly id: string; readonly record: AnnotationRecord; readonly fields: readonly Field[] }

const noQuestions: readonly never[] = []
const noAnswers = {}
const shared = createShared()
const sharedOf = () => shared
const nothing = (): void => {}

/** Shows the reference record of a similarity search next to the results. It can't be edited. */
export const ReferenceRecord = ({ id, record, fields }: Props) => {
  const { t } = useTranslation('features/annotate')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section id={id} className={styles['record']} aria-label={t('similarity.reference')} tabIndex={0} data-keeps-focus="">
      <RecordFields
        key={record.id}
        record={record}
        fields={fields}
        questions={noQuestions}
        answers={noAnswers}
        search={null}
        sharedOf={sharedOf}
        onAnswer={nothing}
        onFocusQuestion={nothing}
      />
    </section>
  )
}
