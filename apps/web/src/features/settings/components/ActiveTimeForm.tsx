import type { ActiveTimeSettings } from '@postil/contract/active-time.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import { activeTimeSettingsQuery, isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { Switch } from '#ui/controls/Switch.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { ItemForm } from './ItemForm.tsx'

type Props = { readonly datasetId: string; readonly calls: SettingsCalls }

/** The form that sets who sees how long people work on their answers. */
export const ActiveTimeForm = ({ datasetId, calls }: Props) => {
  const { data: stored, error } = useQuery(activeTimeSettingsQuery(datasetId))
  // The page itself reports a deleted dataset.
  if (error && !stored && !isUnknownDataset(error)) throw error
  return stored ? <StoredForm calls={calls} stored={stored} /> : <Skeleton height="4lh" />
}

const StoredForm = ({ stored, calls }: Omit<Props, 'datasetId'> & { readonly stored: ActiveTimeSettings }) => {
  const { t } = useTranslation('features/settings')
  const edit = useEdit('general/active-time', stored)
  return (
    <ItemForm
      title={t('activeTime.title')}
      edit={edit}
      isValid
      calls={calls}
      read={calls.readActiveTime}
      send={calls.setActiveTime}
      conflictTexts={{ labelOf: () => t('activeTime.show') }}
    >
      <Switch
        label={t('activeTime.show')}
        hint={t('activeTime.hint')}
        checked={edit.value.shown_to_leads}
        onChange={(shown_to_leads) => edit.change({ shown_to_leads })}
      />
    </ItemForm>
  )
}
