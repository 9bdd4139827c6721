import { type SuggestionSettings, suggestionVisibilities } from '@postil/contract/suggestion-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset, suggestionSettingsQuery } from '#lib/api/dataset-queries.ts'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { isPercent } from '../rules.ts'
import { ItemForm } from './ItemForm.tsx'
import styles from './SettingsPage.module.css'

type Props = { readonly datasetId: string; readonly calls: SettingsCalls }

/** The settings as they are shown. The share is a percentage in a string. It is rounded because 0.07 * 100 isn't exactly 7. */
const shownOf = ({ show, blind_share }: SuggestionSettings) => ({
  show,
  blindPercent: String(Number((blind_share * 100).toFixed(6))),
})

/** The settings that determine when annotators see suggestions. */
export const SuggestionForm = ({ datasetId, calls }: Props) => {
  const { data: stored, error } = useQuery(suggestionSettingsQuery(datasetId))
  // Doesn't throw if the dataset was deleted, because the page itself reports this.
  if (error && !stored && !isUnknownDataset(error)) throw error
  return stored ? <StoredForm calls={calls} stored={stored} /> : <Skeleton height="7lh" />
}

const StoredForm = ({ stored, calls }: Omit<Props, 'datasetId'> & { readonly stored: SuggestionSettings }) => {
  const { t } = useTranslation('features/settings')
  const edit = useEdit('general/suggestions', shownOf(stored))
  const { show, blindPercent } = edit.value
  const isValid = show === 'never' || isPercent(blindPercent)
  return (
    <ItemForm
      title={t('suggestions.title')}
      edit={edit}
      isValid={isValid}
      calls={calls}
      read={async () => shownOf(await calls.readSuggestions())}
      send={(value) => calls.setSuggestions({ show: value.show, blind_share: Number(value.blindPercent) / 100 })}
      conflictTexts={{
        labelOf: ([part]) => t(`suggestions.${part as keyof typeof edit.value}`),
        print: ([part], value) => (part === 'show' ? t(`suggestions.when.${value as typeof show}`) : undefined),
      }}
    >
      <div className={styles['choice']}>
        <span aria-hidden="true">{t('suggestions.show')}</span>
        <Select
          label={t('suggestions.show')}
          value={show}
          options={suggestionVisibilities.map((value) => ({ value, label: t(`suggestions.when.${value}`) }))}
          onChange={(chosen) => edit.change({ ...edit.value, show: chosen })}
        />
        <p>{t('suggestions.showHint')}</p>
      </div>
      {show !== 'never' && (
        <Input
          label={t('suggestions.blindPercent')}
          hint={t('suggestions.blindPercentHint')}
          error={isValid ? null : t('suggestions.blindPercentFault')}
          type="number"
          inputMode="decimal"
          min={0}
          max={100}
          step="any"
          className={styles['number']}
          value={blindPercent}
          onChange={(event) => edit.change({ ...edit.value, blindPercent: event.target.value })}
        />
      )}
    </ItemForm>
  )
}
