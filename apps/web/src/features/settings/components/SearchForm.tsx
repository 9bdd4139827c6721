import type { SearchSettings } from '@postil/contract/search-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset, searchSettingsQuery } from '#lib/api/dataset-queries.ts'
import { Switch } from '#ui/controls/Switch.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { ItemForm } from './ItemForm.tsx'

type Props = { readonly datasetId: string; readonly calls: SettingsCalls }

/** The settings for text search in the records. */
export const SearchForm = ({ datasetId, calls }: Props) => {
  const { data: stored, error } = useQuery(searchSettingsQuery(datasetId))
  // Doesn't throw if the dataset was deleted, because the page itself reports this.
  if (error && !stored && !isUnknownDataset(error)) throw error
  return stored ? <StoredForm calls={calls} stored={stored} /> : <Skeleton height="4lh" />
}

const StoredForm = ({ stored, calls }: Omit<Props, 'datasetId'> & { readonly stored: SearchSettings }) => {
  const { t } = useTranslation('features/settings')
  const edit = useEdit('general/search', stored)
  return (
    <ItemForm
      title={t('search.title')}
      edit={edit}
      isValid
      calls={calls}
      read={calls.readSearch}
      send={calls.setSearch}
      conflictTexts={{ labelOf: () => t('search.ignoreAccents') }}
    >
      <Switch
        label={t('search.ignoreAccents')}
        hint={t('search.ignoreAccentsHint')}
        checked={edit.value.ignore_accents}
        onChange={(ignore_accents) => edit.change({ ignore_accents })}
      />
    </ItemForm>
  )
}
