import type { Dataset } from '@postil/contract/datasets.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { metadataTitleMax } from '#lib/constants.ts'
import { Input } from '#ui/controls/Input.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { changesOf } from '../merge.ts'
import { maxLength, requiredText } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { About } from './About.tsx'
import { ItemForm } from './ItemForm.tsx'
import styles from './SettingsPage.module.css'

type Props = {
  readonly dataset: Dataset
  readonly properties: readonly MetadataProperty[]
  readonly calls: SettingsCalls
}

/** The metadata properties of the dataset's records. */
export const MetadataSection = ({ dataset, properties, calls }: Props) => {
  const { t } = useTranslation('features/settings')
  const extra = useEdit('metadata/extra', dataset.allow_extra_metadata)
  return (
    <>
      <ItemForm
        title={t('metadata.extra')}
        edit={extra}
        isValid
        calls={calls}
        read={async () => (await calls.readDataset()).allow_extra_metadata}
        send={(allow_extra_metadata) => calls.updateDataset({ allow_extra_metadata })}
        conflictTexts={{ labelOf: () => t('metadata.allowExtra') }}
      >
        <Switch
          label={t('metadata.allowExtra')}
          hint={t('metadata.allowExtraHint')}
          checked={extra.value}
          onChange={extra.change}
        />
      </ItemForm>
      {properties.length === 0 && <p className={styles['none']}>{t('metadata.none')}</p>}
      {properties.map((property) => (
        <PropertyForm key={property.id} property={property} calls={calls} />
      ))}
    </>
  )
}

const propertyEdit = ({ title, visible_for_annotators }: MetadataProperty) => ({ title, visible_for_annotators })

const PropertyForm = ({ property, calls }: { readonly property: MetadataProperty; readonly calls: SettingsCalls }) => {
  const { t } = useTranslation('features/settings')
  const faultText = useFaultText()
  const edit = useEdit(`metadata/${property.id}`, propertyEdit(property))
  const fault = requiredText(edit.value.title) ?? maxLength(edit.value.title, metadataTitleMax)
  return (
    <ItemForm
      title={property.title}
      details={<About name={property.name} title={property.title} type={t(`metadataType.${property.settings.type}`)} />}
      edit={edit}
      isValid={fault === null}
      calls={calls}
      read={async () => {
        const fresh = (await calls.readMetadata()).find(({ id }) => id === property.id)
        return fresh && propertyEdit(fresh)
      }}
      send={(value, stored) => calls.updateMetadata(property.id, changesOf(stored, value))}
      conflictTexts={{ labelOf: () => t('itemTitle') }}
    >
      <Input
        label={t('itemTitle')}
        error={faultText(fault)}
        value={edit.value.title}
        onChange={(event) => edit.change({ ...edit.value, title: event.target.value })}
      />
      <Switch
        label={t('metadata.visible')}
        hint={t('metadata.visibleHint')}
        checked={edit.value.visible_for_annotators}
        onChange={(visible) => edit.change({ ...edit.value, visible_for_annotators: visible })}
      />
    </ItemForm>
  )
}
