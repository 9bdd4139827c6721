import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import { metadataKinds } from '@postil/contract/metadata-types/define.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import type { PropertyPart } from '../../draft.ts'
import { withProperty } from '../../draft.ts'
import { Part, useTextFault } from './Part.tsx'
import styles from './Parts.module.css'
import type { SectionProps } from './section.ts'
import { changedPart, focusPart, removedPart } from './section.ts'

export const PropertiesSection = (section: SectionProps) => {
  const { t } = useTranslation('features/create')
  const { draft, onChange } = section
  const add = (kind: MetadataKind): void => {
    const next = withProperty(draft, kind, { name: kind, source: null })
    onChange(next)
    focusPart(next.properties.at(-1)?.key)
  }
  return (
    <section aria-labelledby="new-metadata" className={styles['section']}>
      <h2 id="new-metadata" className={styles['sectionTitle']}>
        {t('metadata.title')}
      </h2>
      <p className={styles['hint']}>{t('metadata.hint')}</p>
      <ul className={styles['parts']}>
        {draft.properties.map((part) => (
          <PropertyForm
            key={part.key}
            part={part}
            section={section}
            onPart={(change) => onChange({ ...draft, properties: changedPart(draft.properties, part.key, change) })}
          />
        ))}
      </ul>
      <div className={styles['add']}>
        <Menu
          trigger={
            <Button icon={PlusIcon} data-add="properties">
              {t('metadata.add')}
            </Button>
          }
        >
          {metadataKinds.map((kind) => (
            <MenuItem key={kind} onSelect={() => add(kind)}>
              {t(`metadataType.${kind}`)}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </section>
  )
}

type FormProps = {
  readonly part: PropertyPart
  readonly section: SectionProps
  readonly onPart: (change: Partial<PropertyPart>) => void
}

const PropertyForm = ({ part, section: { draft, faults, hasTried, onChange }, onPart }: FormProps) => {
  const { t } = useTranslation('features/create')
  const faultOn = useTextFault(faults.parts.get(part.key), hasTried)
  return (
    <Part
      part={part}
      unnamedTitle={t('metadata.unnamed')}
      faultOn={faultOn}
      onChange={onPart}
      onRemove={() => {
        onChange({ ...draft, properties: removedPart(draft.properties, part.key) })
        focusPart(null, 'properties')
      }}
      kind={
        <LabelledSelect
          label={t('part.type')}
          value={part.settings.type}
          options={metadataKinds.map((kind) => ({ value: kind, label: t(`metadataType.${kind}`) }))}
          onChange={(type) => onPart({ settings: { type } })}
        />
      }
    >
      <Switch
        label={t('metadata.visible')}
        hint={t('metadata.visibleHint')}
        checked={part.visible}
        onChange={(visible) => onPart({ visible })}
      />
    </Part>
  )
}
