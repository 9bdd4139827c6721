import type { Dataset } from '@postil/contract/datasets.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import { minSubmittedMax, minSubmittedMin } from '#lib/constants.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import type { SettingsCalls } from '../api.ts'
import { hasAnswersQuery } from '../api.ts'
import { hrefOfDataset } from '../dataset-link.ts'
import { useEdit } from '../edits.ts'
import { wholeNumber } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { ActiveTimeForm } from './ActiveTimeForm.tsx'
import { AssignmentForm } from './AssignmentForm.tsx'
import { GuidelinesForm } from './GuidelinesForm.tsx'
import { ItemForm } from './ItemForm.tsx'
import { Publish } from './Publish.tsx'
import { SearchForm } from './SearchForm.tsx'
import styles from './SettingsPage.module.css'
import { Snapshots } from './Snapshots.tsx'
import { SuggestionForm } from './SuggestionForm.tsx'

type Props = { readonly dataset: Dataset; readonly calls: SettingsCalls }

type SectionProps = Props & {
  readonly questions: readonly Question[]
  readonly properties: readonly MetadataProperty[]
  readonly vectors: readonly VectorSettings[]
}

export const GeneralSection = ({ dataset, questions, properties, vectors, calls }: SectionProps) => {
  const { t } = useTranslation('features/settings')
  return (
    <>
      {dataset.status === 'draft' && <Publish datasetId={dataset.id} calls={calls} />}
      <dl className={styles['facts']}>
        <dt>{t('general.name')}</dt>
        <dd className={styles['name']}>
          <bdi>{dataset.name}</bdi>
          <CopyButton label={t('general.copyLink')} text={hrefOfDataset(dataset.id)} />
        </dd>
      </dl>
      <DistributionForm dataset={dataset} calls={calls} />
      <AssignmentForm
        datasetId={dataset.id}
        overlap={dataset.distribution.min_submitted}
        questions={questions}
        properties={properties}
        vectors={vectors}
        calls={calls}
      />
      <SuggestionForm datasetId={dataset.id} calls={calls} />
      <SearchForm datasetId={dataset.id} calls={calls} />
      <ActiveTimeForm datasetId={dataset.id} calls={calls} />
      <GuidelinesForm dataset={dataset} calls={calls} />
      <Snapshots datasetId={dataset.id} />
    </>
  )
}

const DistributionForm = ({ dataset, calls }: Props) => {
  const { t } = useTranslation('features/settings')
  const faultText = useFaultText()
  const stored = dataset.distribution.min_submitted
  const edit = useEdit('general/distribution', String(stored))
  // A client may have stored a larger number than this form allows. In that case, the form accepts numbers up to the stored one.
  const max = Math.max(minSubmittedMax, stored)
  const fault = wholeNumber(edit.value, minSubmittedMin, max)
  const { data: hasAnswers = false } = useQuery(hasAnswersQuery(dataset.id))
  const isSettled = hasAnswers && !edit.isChanged
  return (
    <ItemForm
      title={t('general.distribution')}
      edit={edit}
      isValid={fault === null}
      calls={calls}
      read={async () => String((await calls.readDataset()).distribution.min_submitted)}
      send={(typed) => calls.updateDataset({ distribution: { strategy: 'overlap', min_submitted: Number(typed) } })}
      conflictTexts={{ labelOf: () => t('general.minSubmitted') }}
    >
      <Input
        label={t('general.minSubmitted')}
        hint={isSettled ? t('general.minSubmittedSettled') : t('general.minSubmittedHint')}
        readOnly={isSettled}
        error={faultText(fault)}
        type="number"
        inputMode="numeric"
        min={minSubmittedMin}
        max={max}
        step={1}
        className={styles['number']}
        value={edit.value}
        onChange={(event) => edit.change(event.target.value)}
      />
    </ItemForm>
  )
}
