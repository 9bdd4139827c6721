import { comparedFields } from '@postil/contract/comparison-sides.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import type { CreationFormProps, NearbyField, QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice, SettingsFormProps } from '../define-settings.ts'
import { OptionsForm } from '../shared/options/OptionsForm.tsx'
import { optionsFault, optionsUpdate } from '../shared/options/option-settings.ts'
import styles from './creation.module.css'

type Settings = SettingsOf<'comparison'>
type Choice = {
  readonly fields: readonly [string, string]
  readonly strength: boolean
  readonly ties: boolean
  readonly bothBad: boolean
}

/** Values of options that prefer no field. */
const tie = 'tie'
const bothBad = 'both_bad'
const much = (field: string): string => `${field}_much`

/**
 * Returns the settings for a choice of fields and options. The value of an option is the name of the field that it prefers, with
 * `_much` appended if it prefers the field strongly.
 */
const settingsFor = (
  { fields: [first, second], ...has }: Choice,
  { swap, textOf }: { readonly swap: boolean; readonly textOf: (value: string) => string },
): Settings => {
  const of = (field: string): readonly string[] => (has.strength ? [much(field), field] : [field])
  const equal = [...(has.ties ? [tie] : []), ...(has.bothBad ? [bothBad] : [])]
  const values = [...of(first), ...equal, ...of(second).toReversed()]
  const prefers = (field: string) => of(field).map((value) => [value, field] as const)
  return {
    type: 'label_selection',
    postil_kind: 'comparison',
    options: values.map((value) => ({ value, text: textOf(value), description: null })),
    visible_options: null,
    compare: {
      options: Object.fromEntries([...prefers(first), ...prefers(second)]),
      strong: has.strength ? [much(first), much(second)] : [],
      swap,
      ties: has.ties ? tie : null,
      both_bad: has.bothBad ? bothBad : null,
    },
  }
}

const choiceOf = ({ compare }: Settings): Choice => ({
  fields: [...comparedFields(compare)],
  strength: compare.strong.length > 0,
  ties: compare.ties !== null,
  bothBad: compare.both_bad !== null,
})

const titleOf = (fields: readonly NearbyField[], name: string): string =>
  fields.find((field) => field.name === name)?.title.trim() || name

const CreationForm = ({ settings, fields, fault, onChange }: CreationFormProps<'comparison'>) => {
  const { t } = useTranslation('question-types/comparison')
  const choice = choiceOf(settings)
  const [first, second] = choice.fields
  const change = (changed: Partial<Choice>): void => {
    const next = { ...choice, ...changed }
    const textOf = (value: string): string => {
      if (value === tie) return t('option.tie')
      if (value === bothBad) return t('option.bothBad')
      const field = next.fields.find((one) => one === value || much(one) === value) ?? value
      const side = titleOf(fields, field)
      return value === field ? side : t('muchBetter', { side })
    }
    onChange(settingsFor(next, { swap: settings.compare.swap, textOf }))
  }
  const select = (label: string, name: string, onName: (name: string) => void) => (
    <LabelledSelect
      label={label}
      value={name}
      options={[
        ...(fields.some((field) => field.name === name) ? [] : [{ value: name, label: t('noField') }]),
        ...fields.map((field) => ({ value: field.name, label: titleOf(fields, field.name) })),
      ]}
      onChange={onName}
    />
  )
  return (
    <>
      {select(t('firstField'), first, (name) => change({ fields: [name, second] }))}
      {select(t('secondField'), second, (name) => change({ fields: [first, name] }))}
      {fault && <p className={styles['fault']}>{fault}</p>}
      <Switch
        label={t('strength')}
        hint={t('strengthHint')}
        checked={choice.strength}
        onChange={(strength) => change({ strength })}
      />
      <Switch label={t('ties')} checked={choice.ties} onChange={(ties) => change({ ties })} />
      <Switch label={t('bothBad')} checked={choice.bothBad} onChange={(is) => change({ bothBad: is })} />
      <Switch
        label={t('swap')}
        hint={t('swapHint')}
        checked={settings.compare.swap}
        onChange={(swap) => onChange({ ...settings, compare: { ...settings.compare, swap } })}
      />
    </>
  )
}

const SettingsForm = ({ settings, stored, onChange, hues, onHue }: SettingsFormProps<'comparison'>) => {
  const { t } = useTranslation('question-types/comparison')
  return (
    <>
      <OptionsForm
        settings={settings}
        stored={stored}
        onChange={({ options = settings.options }) => onChange({ ...settings, options })}
        colours={{ chosen: hues, onHue }}
        canHide={false}
      />
      <Switch
        label={t('swap')}
        hint={t('swapHint')}
        checked={settings.compare.swap}
        onChange={(swap) => onChange({ ...settings, compare: { ...settings.compare, swap } })}
      />
    </>
  )
}

export const creation: QuestionCreationSlice<'comparison'> = {
  kind: 'comparison',
  order: 6,
  initial: ({ values, fields }) => {
    // If the question is created from a column with suggestions, the column's values are the names of the preferred fields.
    const [first = '', second = ''] = values?.length === 2 ? values : fields.slice(-2).map(({ name }) => name)
    const texts: { readonly [value: string]: string } = { [first]: titleOf(fields, first), [second]: titleOf(fields, second) }
    return settingsFor(
      { fields: [first, second], strength: false, ties: true, bothBad: false },
      { swap: true, textOf: (value) => texts[value] ?? value },
    )
  },
  CreationForm,
  withFieldRenamed: (settings, from, to) => {
    const preferred = Object.entries(settings.compare.options).map(([value, field]) => [value, field === from ? to : field])
    return { ...settings, compare: { ...settings.compare, options: Object.fromEntries(preferred) } }
  },
  fault: ({ compare }, fields) => {
    const chosen = comparedFields(compare)
    const isKnown = chosen.every((name) => fields.some((field) => field.name === name))
    return isKnown && chosen[0] !== chosen[1] ? null : 'twoFields'
  },
}

export const settings: QuestionSettingsSlice<'comparison'> = {
  kind: 'comparison',
  SettingsForm,
  fault: optionsFault,
  update: (value) => ({
    type: 'label_selection',
    postil_kind: 'comparison',
    options: optionsUpdate(value).options,
    compare: { swap: value.compare.swap },
  }),
  sample: () => null,
}
