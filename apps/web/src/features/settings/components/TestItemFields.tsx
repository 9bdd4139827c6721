import type { User } from '@postil/contract/people/users.ts'
import type { PrintedReviewSettings } from '@postil/contract/review.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/controls/Input.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { wholeNumber } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import styles from './ReviewSection.module.css'
import pageStyles from './SettingsPage.module.css'
import { TestItemView } from './TestItemView.tsx'

/** The settings of test items as the form shows them. Numbers are strings. */
export type ShownTestItems = {
  readonly checks: boolean
  readonly checksEvery: string
  /** The ID of the view that finds the records for test items; empty for all records. */
  readonly checksView: string
  readonly checksStopBelow: string
  readonly checksTolerance: string
}

/** The limits of the server. */
const [minEvery, maxEvery] = [2, 1000]

export const testItemFaults = ({ checks, checksEvery, checksStopBelow, checksTolerance }: ShownTestItems) => ({
  every: checks ? wholeNumber(checksEvery, minEvery, maxEvery) : null,
  stopBelow: checks && checksStopBelow !== '' ? wholeNumber(checksStopBelow, 1, 100) : null,
  tolerance: checks ? wholeNumber(checksTolerance, 0) : null,
})

type Props = {
  readonly datasetId: string
  /** The members of the workspace. */
  readonly users: readonly User[]
  readonly stored: PrintedReviewSettings['checks']
  readonly value: ShownTestItems
  readonly onChange: (next: Partial<ShownTestItems>) => void
}

/** Settings for records that check whether people answer carefully. */
export const TestItemFields = ({ datasetId, users, stored, value, onChange }: Props) => {
  const { t } = useTranslation('features/settings')
  const faultText = useFaultText()
  const faults = testItemFaults(value)
  const number = { type: 'number', inputMode: 'numeric', step: 1, className: pageStyles['number'] } as const
  return (
    <fieldset className={styles['final']}>
      <legend>{t('review.testItems')}</legend>
      <Switch
        label={t('review.checks')}
        hint={t('review.checksHint')}
        checked={value.checks}
        onChange={(checks) => onChange({ checks })}
      />
      {value.checks && (
        <>
          <Input
            {...number}
            label={t('review.checksEvery')}
            min={minEvery}
            error={faultText(faults.every)}
            value={value.checksEvery}
            onChange={(event) => onChange({ checksEvery: event.target.value })}
          />
          <TestItemView
            datasetId={datasetId}
            users={users}
            value={value.checksView}
            onChange={(checksView) => onChange({ checksView })}
            stored={stored?.view_id == null ? null : { id: stored.view_id, name: stored.view_name ?? stored.view_id }}
          />
          <Input
            {...number}
            label={t('review.checksStopBelow')}
            hint={t('review.checksStopBelowHint')}
            min={1}
            max={100}
            error={faultText(faults.stopBelow)}
            value={value.checksStopBelow}
            onChange={(event) => onChange({ checksStopBelow: event.target.value })}
          />
          <Input
            {...number}
            label={t('review.checksTolerance')}
            min={0}
            error={faultText(faults.tolerance)}
            value={value.checksTolerance}
            onChange={(event) => onChange({ checksTolerance: event.target.value })}
          />
        </>
      )}
    </fieldset>
  )
}
