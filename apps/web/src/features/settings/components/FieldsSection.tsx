import type { FieldKind, FieldSettingsOf } from '@postil/contract/field-types/index.ts'
import type { Field } from '@postil/contract/fields.ts'
import { Suspense } from 'react'
import { fieldCreationOf } from '#field-types/creation.ts'
import { fieldSettingsSlice } from '#field-types/settings-registry.ts'
import { useFieldChecks } from '#field-types/use-field-checks.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useTypeNames } from '#i18n/use-type-names.ts'
import { fieldTitleMax } from '#lib/constants.ts'
import { Input } from '#ui/controls/Input.tsx'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { changesOf } from '../merge.ts'
import { maxLength } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { About } from './About.tsx'
import { ItemForm } from './ItemForm.tsx'
import styles from './SettingsPage.module.css'

const FieldPreview = lazyPart(() => import('./FieldPreview.tsx').then((module) => ({ default: module.FieldPreview })))

type Props = { readonly fields: readonly Field[]; readonly calls: SettingsCalls }

/** The fields of the dataset. */
export const FieldsSection = ({ fields, calls }: Props) =>
  fields.map((field) => <FieldForm key={field.id} field={field} fields={fields} calls={calls} />)

/** The view of a custom field, or null if a template draws the field. Undefined for fields that aren't custom. */
const viewOf = ({ settings }: Field): 'trace' | null | undefined => {
  const { otherView } = fieldSettingsSlice(settings)
  return otherView === undefined ? undefined : otherView === null ? 'trace' : null
}

/**
 * Returns the values that a field's form edits. They include all settings, because an update replaces all settings of a field at
 * once.
 */
const fieldEdit = (field: Field) => {
  const view = viewOf(field)
  return { title: field.title, settings: field.settings, ...(view !== undefined && { view }) }
}

const FieldForm = ({ field, fields, calls }: Props & { readonly field: Field }) => {
  const { t } = useTranslation('features/settings')
  const nameOf = useTypeNames()
  const faultText = useFaultText()
  const edit = useEdit(`fields/${field.id}`, fieldEdit(field))
  const { title, settings } = edit.value
  const fault = maxLength(title, fieldTitleMax)
  const { SettingsForm, hasPreview } = fieldSettingsSlice(field.settings)
  const { isReady } = useFieldChecks([settings])
  const isWhole = isReady && !fieldCreationOf(settings).isFaulty(settings)
  const inputs = (
    <>
      <Input
        label={t('itemTitle')}
        error={faultText(fault)}
        value={title}
        placeholder={field.name}
        onChange={(event) => edit.change({ ...edit.value, title: event.target.value })}
      />
      {edit.value.view !== undefined && (
        <LabelledSelect
          label={t('fields.view')}
          hint={t('fields.viewHint')}
          value={edit.value.view ?? 'custom'}
          options={(['custom', 'trace'] as const).map((kind) => ({
            value: kind,
            label: nameOf('field', { type: 'custom', postil_kind: kind }),
          }))}
          onChange={(kind) => edit.change({ ...edit.value, view: kind === 'trace' ? kind : null })}
        />
      )}
      {SettingsForm && (
        <SettingsForm
          settings={settings as FieldSettingsOf<FieldKind>}
          onChange={(next) => edit.change({ ...edit.value, settings: next })}
        />
      )}
    </>
  )
  return (
    <ItemForm
      title={field.title}
      details={<About name={field.name} title={field.title} type={nameOf('field', field.settings)} required={field.required} />}
      edit={edit}
      isValid={fault === null && (settings === field.settings || isWhole)}
      calls={calls}
      // A field without a title uses its name as the title.
      send={(value, stored) => calls.updateField(field.id, changesOf(stored, { ...value, title: value.title || field.name }))}
      read={async () => {
        const fresh = (await calls.readFields()).find(({ id }) => id === field.id)
        return fresh && fieldEdit(fresh)
      }}
      conflictTexts={{
        labelOf: ([part]) => (part === 'title' ? t('itemTitle') : part === 'view' ? t('fields.view') : t('conflict.settings')),
      }}
    >
      {hasPreview ? (
        <div className={styles['pair']}>
          <div className={styles['inputs']}>{inputs}</div>
          <Suspense fallback={<Skeleton height="8rem" />}>
            <FieldPreview field={{ ...field, title: title.trim() || field.name, settings }} fields={fields} isFaulty={!isWhole} />
          </Suspense>
        </div>
      ) : (
        inputs
      )}
    </ItemForm>
  )
}
