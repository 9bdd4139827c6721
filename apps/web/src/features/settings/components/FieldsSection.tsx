import type { FieldKind } from '@postil/contract/field-types/define.ts'
import type { Field } from '@postil/contract/fields.ts'
import { fieldCreation } from '#field-types/creation.ts'
import type { FieldSettingsOf } from '#field-types/define.ts'
import { fieldSettingsSlice } from '#field-types/settings-registry.ts'
import { useFieldChecks } from '#field-types/use-field-checks.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { fieldTitleMax } from '#lib/constants.ts'
import { Input } from '#ui/Input.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { changesOf } from '../merge.ts'
import { atMost } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { About } from './About.tsx'
import { ItemForm } from './ItemForm.tsx'

type Props = { readonly fields: readonly Field[]; readonly calls: SettingsCalls }

/** What a record shows. */
export const FieldsSection = ({ fields, calls }: Props) =>
  fields.map((field) => <FieldForm key={field.id} field={field} calls={calls} />)

/** The server takes all settings of a field or none. */
const fieldEdit = ({ title, settings }: Field) => ({ title, settings })

const FieldForm = ({ field, calls }: { readonly field: Field; readonly calls: SettingsCalls }) => {
  const { t } = useTranslation('features/settings')
  const faultText = useFaultText()
  const edit = useEdit(`fields/${field.id}`, fieldEdit(field))
  const { title, settings } = edit.value
  const fault = atMost(title, fieldTitleMax)
  const { SettingsForm } = fieldSettingsSlice(field.settings.type)
  const { isReady } = useFieldChecks([settings.type])
  const isWhole = isReady && !fieldCreation(settings.type).isFaulty(settings)
  return (
    <ItemForm
      title={field.title}
      about={
        <About name={field.name} title={field.title} type={t(`fieldType.${field.settings.type}`)} required={field.required} />
      }
      edit={edit}
      isValid={fault === null && (settings === field.settings || isWhole)}
      calls={calls}
      // A field without a title is called by its name.
      send={(value, stored) => calls.updateField(field.id, changesOf(stored, { ...value, title: value.title || field.name }))}
      read={async () => {
        const fresh = (await calls.readFields()).find(({ id }) => id === field.id)
        return fresh && fieldEdit(fresh)
      }}
      told={{ labelOf: ([part]) => (part === 'title' ? t('itemTitle') : t('conflict.settings')) }}
    >
      <Input
        label={t('itemTitle')}
        error={faultText(fault)}
        value={title}
        placeholder={field.name}
        onChange={(event) => edit.change({ ...edit.value, title: event.target.value })}
      />
      {SettingsForm && (
        <SettingsForm
          settings={settings as FieldSettingsOf<FieldKind>}
          onChange={(next) => edit.change({ ...edit.value, settings: next })}
        />
      )}
    </ItemForm>
  )
}
