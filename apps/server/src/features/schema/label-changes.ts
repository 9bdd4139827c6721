import { type QuestionSettings, questionTypeOf } from '@postil/contract/question-types/index.ts'
import { offeredOptions, replacedLabels } from '@postil/contract/question-types/label-changes.ts'
import { treeFault } from '@postil/contract/question-types/label-tree.ts'
import { minVisibleOptions, type Option } from '@postil/contract/question-types/options.ts'
import type { LabelChange, LabelsSnapshot } from '@postil/contract/schema-versions.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'

/** The settings of a question whose answers consist of labels that can change. */
export type LabelSettings = QuestionSettings & LabelsSnapshot & { readonly visible_options?: number | null }

/**
 * Returns the settings if the question has labels that can change, otherwise null. Ratings have options, but their values are
 * numbers.
 */
export const labelSettings = (settings: QuestionSettings): LabelSettings | null =>
  questionTypeOf(settings).rules.replaceLabels === undefined ? null : (settings as LabelSettings)

export const snapshotOf = ({ options, retired, replaced, split }: LabelsSnapshot): LabelsSnapshot => ({
  options,
  ...(retired !== undefined && { retired }),
  ...(replaced !== undefined && { replaced }),
  ...(split !== undefined && { split }),
})

type NewLabel = { readonly value: string; readonly text: string; readonly description?: string | null | undefined }

/**
 * A label while changes are made to it. `origin` is its value before the changes; null for a new label. `parent` is the label
 * above it in the tree, which may itself change.
 */
type Label = { option: Omit<Option, 'parent'>; readonly origin: string | null; retired: boolean; parent: Label | null }

const isBelow = (label: Label, ancestor: Label): boolean => {
  for (let at = label.parent; at !== null; at = at.parent) if (at === ancestor) return true
  return false
}

/**
 * Moves the labels below a removed label to another label. If the other label was itself below the removed one, it moves up to
 * the place of the removed label.
 */
const adoptLabels = (labels: readonly Label[], leaving: Label, target: Label): void => {
  if (isBelow(target, leaving)) target.parent = leaving.parent
  for (const label of labels) if (label.parent === leaving) label.parent = target
}

/** The labels of a question while changes are made to them. */
export class LabelList {
  readonly settings: LabelSettings
  #labels: Label[]
  /** Maps the value that a label had before the changes to the label in its current state, or to the label that replaced it. */
  readonly #current: Map<string, Label>
  /** The labels into which each label was split. */
  readonly #split: Map<Label, readonly Label[]>

  constructor(given: LabelSettings) {
    // While the job of an earlier change is running, `given` also contains the labels that the change removes. They are left out.
    const settings = settingsWith(given, settled(given))
    this.settings = settings
    const retired = new Set(settings.retired)
    this.#labels = settings.options.map(({ parent: _, ...option }) => ({
      option,
      origin: option.value,
      retired: retired.has(option.value),
      parent: null,
    }))
    for (const { value, parent } of settings.options) {
      const label = this.#find(value)
      if (label !== undefined && parent !== undefined) label.parent = this.#find(parent) ?? null
    }
    this.#current = new Map(this.#labels.map((label) => [label.option.value, label]))
    this.#split = new Map(
      (settings.split ?? []).flatMap(({ from, into }) => {
        const label = this.#find(from)
        return label === undefined ? [] : [[label, into.flatMap((value) => this.#find(value) ?? [])]]
      }),
    )
  }

  #find(value: string): Label | undefined {
    return this.#labels.find(({ option }) => option.value === value)
  }

  /** Why a label can't get a new value, or null. @param own the label that is renamed */
  #valueFault(value: string, own: Label | null): Reason | null {
    if (own !== null && (value === own.option.value || value === own.origin)) return null
    if (this.#find(value) !== undefined || this.#current.has(value)) return message('labelTaken', { label: value })
    const former = replacedLabels(this.settings).get(value)
    if (former === undefined || (own !== null && former === own.origin)) return null
    return message('labelFormer', { label: value, current: former })
  }

  #merge(labels: readonly string[], into: string): Reason | null {
    const target = this.#find(into)
    if (target === undefined) return message('labelUnknown', { label: into })
    if (target.retired) return message('labelIntoRetired', { label: into })
    for (const value of labels) {
      const label = this.#find(value)
      if (label === target) return message('labelIntoItself', { label: value })
      if (label === undefined) return message('labelUnknown', { label: value })
      this.#labels = this.#labels.filter((one) => one !== label)
      adoptLabels(this.#labels, label, target)
      for (const [before, current] of this.#current) if (current === label) this.#current.set(before, target)
      this.#split.delete(label)
      for (const [from, into] of this.#split)
        this.#split.set(
          from,
          [...new Set(into.map((one) => (one === label ? target : one)))].filter((one) => one !== from),
        )
    }
    return null
  }

  #insert({ value, text, description = null }: NewLabel, after: number, parent: Label | null): Label {
    const label: Label = { option: { value, text, description }, origin: null, retired: false, parent }
    this.#labels = this.#labels.toSpliced(after, 0, label)
    return label
  }

  #splitInto(value: string, into: readonly NewLabel[], isAnswered: boolean): Reason | null {
    const label = this.#find(value)
    if (label === undefined) return message('labelUnknown', { label: value })
    const values = new Set(into.map((one) => one.value))
    if (values.size < into.length || values.has(value)) return message('labelIntoFew', { label: value })
    const targets: Label[] = []
    for (const one of into) {
      const known = this.#find(one.value)
      if (known?.retired === true) return message('labelIntoRetired', { label: one.value })
      // A split replaces the label in stored answers. Answers that were given after the label was retired don't contain it, so
      // they would not get the new label. This isn't allowed for rankings, which must contain all labels that are offered.
      if (known === undefined && isAnswered && label.retired && questionTypeOf(this.settings).rules.needsAllLabels === true)
        return message('labelsOfRanking')
      const fault = known === undefined ? this.#valueFault(one.value, null) : null
      if (fault !== null) return fault
      targets.push(known ?? this.#insert(one, this.#labels.indexOf(targets.at(-1) ?? label) + 1, label.parent))
    }
    label.retired = true
    this.#split.set(label, targets)
    return null
  }

  #add({ parent, ...added }: NewLabel & { readonly parent?: string | null | undefined }, isAnswered: boolean): Reason | null {
    if (isAnswered && questionTypeOf(this.settings).rules.needsAllLabels === true) return message('labelsOfRanking')
    const above = parent == null ? null : this.#find(parent)
    if (above === undefined) return message('labelUnknown', { label: parent ?? '' })
    const fault = this.#valueFault(added.value, null)
    if (fault === null) this.#insert(added, this.#labels.findLastIndex(({ retired }) => !retired) + 1, above)
    return fault
  }

  #reorder(labels: readonly string[]): Reason | null {
    const places = new Map(labels.map((value, i) => [value, i]))
    const isComplete = places.size === labels.length && labels.every((value) => this.#find(value) !== undefined)
    if (!isComplete || this.#labels.some(({ option, retired }) => !retired && !places.has(option.value)))
      return message('labelsIncomplete')
    const placeOf = ({ option }: Label) => places.get(option.value) ?? labels.length
    this.#labels = this.#labels.toSorted((a, b) => placeOf(a) - placeOf(b))
    return null
  }

  /** Makes a change. @param isAnswered whether there are answers to the question. @returns why it can't be made, or null */
  apply(change: LabelChange, isAnswered: boolean): Reason | null {
    if (change.type === 'merge_labels') return this.#merge(change.labels, change.into)
    if (change.type === 'reorder') return this.#reorder(change.labels)
    if (change.type === 'add_label') return this.#add(change, isAnswered)
    if (change.type === 'split_label') return this.#splitInto(change.label, change.into, isAnswered)
    const label = this.#find(change.label)
    if (label === undefined) return message('labelUnknown', { label: change.label })
    if (change.type === 'rename_label') {
      const { value, text } = change
      const fault = this.#valueFault(value, label)
      if (fault === null) label.option = { ...label.option, value, text }
      return fault
    }
    const retired = change.type === 'retire_label'
    if (label.retired === retired) return message(retired ? 'labelRetired' : 'labelNotRetired', { label: change.label })
    label.retired = retired
    this.#split.delete(label)
    return null
  }

  /** Maps the previous value of each renamed or merged label to its new value. */
  moved(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#current].flatMap(([before, { option }]) => (option.value === before ? [] : [[before, option.value]])),
    )
  }

  after(): LabelsSnapshot {
    const options = this.#labels.map(
      ({ option, parent }): Option => (parent === null ? option : { ...option, parent: parent.option.value }),
    )
    const retired = this.#labels.flatMap((label) => (label.retired ? [label.option.value] : []))
    const split = [...this.#split].map(([{ option }, into]) => ({
      from: option.value,
      into: into.map((one) => one.option.value),
    }))
    return labelsWith({ options, retired, replaced: this.settings.replaced ?? [], split }, this.moved())
  }

  /** The earlier value of each label that has been renamed. Labels that were merged are left out. */
  renamed(): ReadonlyMap<string, string> {
    const before = new Set(this.settings.options.map(({ value }) => value))
    return new Map(
      this.#labels.flatMap(({ option, origin }) => (origin === null || before.has(option.value) ? [] : [[option.value, origin]])),
    )
  }
}

type AllLabels = Required<LabelsSnapshot>

/**
 * Returns the labels that result from replacing the labels in `moved`. A label that was replaced earlier but is in use again no
 * longer counts as replaced.
 */
export const labelsWith = (
  { options, retired, replaced, split }: AllLabels,
  moved: ReadonlyMap<string, string>,
): LabelsSnapshot => {
  const values = new Set(options.map(({ value }) => value))
  const all = new Map([...replaced.map(({ from, to }): [string, string] => [from, moved.get(to) ?? to]), ...moved])
  const entries = [...all].flatMap(([from, to]) => (values.has(from) ? [] : [{ from, to }]))
  return snapshotOf({
    options,
    ...(retired.length > 0 && { retired: [...retired] }),
    ...(entries.length > 0 && { replaced: entries }),
    ...(split.length > 0 && { split: [...split] }),
  })
}

/** The settings with the given labels. Limits the number of visible options to the number of offered options. */
export const settingsWith = (
  { retired: _, replaced: __, split: ___, ...settings }: LabelSettings,
  labels: LabelsSnapshot,
): LabelSettings => {
  const offered = offeredOptions(labels).length
  const { visible_options: visible } = settings
  const shown = visible != null && visible > offered ? { visible_options: offered >= minVisibleOptions ? offered : null } : {}
  // The kind stays the same.
  return { ...settings, ...shown, ...labels } as LabelSettings
}

/** Why a question can't have these labels, or null. The same rules apply as when a question is created. */
export const labelsFault = (settings: LabelSettings, limits: Limits): Reason | null => {
  const { retired: _, replaced: __, split: ___, ...created } = settings
  const parsed = questionTypeOf(settings)
    .createSettings(limits)
    .safeParse({ ...created, options: offeredOptions(settings).map(({ parent: __, ...option }) => option) })
  const issue = parsed.error?.issues[0]
  // The tree is checked with all labels, because other labels can be below a retired label.
  const tree = treeFault(settings.options)
  if (issue === undefined) return tree === null ? null : message('labelsInvalid', {}, tree)
  if (issue.code === 'too_small') return message('labelsTooFew', { min: Number(issue.minimum) })
  if (issue.code === 'too_big') return message('labelsTooMany', { max: Number(issue.maximum) })
  return message('labelsInvalid', {}, issue.message)
}

/**
 * The labels that are valid while stored answers are being changed. They include the labels that will be removed, because answers
 * that haven't been changed yet must still be readable and storable. A label that will be removed is not offered and has the text
 * of the label that replaces it.
 */
export const transitional = (before: readonly Option[], after: LabelsSnapshot): LabelsSnapshot => {
  const replaced = new Map(after.replaced?.map(({ from, to }) => [from, to]))
  const leaving = before.flatMap((option) => {
    const to = after.options.find(({ value }) => value === replaced.get(option.value))
    return to === undefined ? [] : [{ ...option, text: to.text }]
  })
  if (leaving.length === 0) return after
  return {
    ...after,
    options: [...after.options, ...leaving],
    retired: [...(after.retired ?? []), ...leaving.map(({ value }) => value)],
  }
}

/** Returns the labels after a label change. Omits labels that stayed valid only until the stored answers had been changed. */
export const settled = (labels: LabelsSnapshot): LabelsSnapshot => {
  const gone = new Map(labels.replaced?.map(({ from, to }) => [from, to]))
  // Another user may have moved a label below a label that was about to be removed. It is moved below the replacement.
  const below = ({ parent, ...option }: Option): Option => {
    const current = parent === undefined ? undefined : (gone.get(parent) ?? parent)
    return current === undefined || current === option.value ? option : { ...option, parent: current }
  }
  const retired = (labels.retired ?? []).filter((value) => !gone.has(value))
  return labelsWith(
    {
      options: labels.options.filter(({ value }) => !gone.has(value)).map(below),
      retired,
      replaced: labels.replaced ?? [],
      split: labels.split ?? [],
    },
    new Map(),
  )
}
