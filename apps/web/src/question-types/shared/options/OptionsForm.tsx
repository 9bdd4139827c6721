import { hasTree, treeOrder } from '@postil/contract/question-types/label-tree.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { foldAbove } from '#lib/constants.ts'
import { ColourPicker } from '../labels/ColourPicker.tsx'
import { OptionRows, type RowPart } from './OptionRows.tsx'
import styles from './OptionsForm.module.css'
import { type OptionRow, parentsIn } from './option-rows.ts'
import { canFold, optionFaults, visibleCount } from './option-settings.ts'

type Choosable = { readonly options: Option[]; readonly visible_options: number | null }
/** The label colors that a form shows and changes. */
type Colours = {
  readonly chosen: ReadonlyMap<string, number>
  /** Hues of labels without a chosen hue. Omitted if such labels have no color. */
  readonly automatic?: ReadonlyMap<string, number>
  readonly onHue: (value: string, hue: number | null) => void
}
type Change = { readonly options?: Option[]; readonly visible_options?: number }
type Props = {
  readonly settings: Choosable
  /** The settings on the server. */
  readonly stored: Choosable
  readonly onChange: (change: Change) => void
  readonly colours: Colours
  /** Whether some options can be hidden while the list is collapsed. */
  readonly canHide?: boolean
  /** Whether the options can form a tree. */
  readonly canNest?: boolean
}

type Row = OptionRow & { readonly hue: number | null; readonly automatic: number | null }

const ValueAndColour: RowPart<Row> = ({ row: { key, text, hue, automatic }, onEdit }) => (
  <>
    <code className={styles['value']}>{text !== key && key}</code>
    <ColourPicker label={text} hue={hue} automatic={automatic} onHue={(next) => onEdit({ hue: next })} />
  </>
)

/**
 * Edits the order, tree, texts and colors of a question's options, and how many are shown while the list is collapsed. Values can't
 * be changed.
 */
export const OptionsForm = ({ settings, stored, onChange, colours, canHide = true, canNest }: Props) => {
  const { t } = useTranslation('question-types/shared/options')
  const { options } = settings
  const rows = treeOrder(options).map(
    ({ option: { value, text }, depth }): Row => ({
      key: value,
      text,
      depth,
      hue: colours.chosen.get(value) ?? null,
      automatic: colours.automatic?.get(value) ?? null,
    }),
  )
  const onRows = (next: readonly Row[]): void => {
    const recoloured = next.find(({ key, hue }) => hue !== (colours.chosen.get(key) ?? null))
    if (recoloured) {
      colours.onHue(recoloured.key, recoloured.hue)
      return
    }
    const byValue = new Map(options.map((option) => [option.value, option]))
    const parents = parentsIn(next)
    onChange({
      options: next.map(({ key, text }) => {
        const { parent: _, ...option } = { value: key, description: null, ...byValue.get(key), text }
        const parent = parents.get(key)
        return parent === undefined ? option : { ...option, parent }
      }),
    })
  }
  const faults = new Map(
    [...optionFaults(options, stored.options)].map(([value, fault]) => {
      const text = options.find((option) => option.value === value)?.text.trim()
      return [value, fault === 'twice' ? t('options.twice', { label: text }) : t(`fault.${fault}`)]
    }),
  )
  return (
    <div className={styles['form']}>
      <OptionRows
        title={t('options.title')}
        rows={rows}
        onRows={onRows}
        nameOf={({ key }) => t('options.text', { value: key })}
        faults={faults}
        canNest={canNest === true}
        Beside={ValueAndColour}
      />
      {canHide && canFold(settings) && !hasTree(options) && (
        <label className={styles['visible']}>
          <span>
            {visibleCount(settings) < options.length
              ? t('options.visible', { count: visibleCount(settings) })
              : t('options.allVisible', { count: options.length })}
          </span>
          <input
            type="range"
            min={foldAbove}
            max={options.length}
            value={visibleCount(settings)}
            onChange={(event) => onChange({ visible_options: Number(event.target.value) })}
          />
        </label>
      )}
    </div>
  )
}
