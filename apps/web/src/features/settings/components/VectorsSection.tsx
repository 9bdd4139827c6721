import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { vectorTitleMax } from '#lib/constants.ts'
import { Input } from '#ui/controls/Input.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { maxLength, requiredText } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { About } from './About.tsx'
import { ItemForm } from './ItemForm.tsx'
import styles from './SettingsPage.module.css'

type Props = { readonly vectors: readonly VectorSettings[]; readonly calls: SettingsCalls }

/** The vectors that similarity search uses. */
export const VectorsSection = ({ vectors, calls }: Props) => {
  const { t } = useTranslation('features/settings')
  if (vectors.length === 0) return <p className={styles['none']}>{t('vectors.none')}</p>
  return vectors.map((vector) => <VectorForm key={vector.id} vector={vector} calls={calls} />)
}

const VectorForm = ({ vector, calls }: { readonly vector: VectorSettings; readonly calls: SettingsCalls }) => {
  const { t } = useTranslation('features/settings')
  const faultText = useFaultText()
  const edit = useEdit(`vectors/${vector.id}`, vector.title)
  const fault = requiredText(edit.value) ?? maxLength(edit.value, vectorTitleMax)
  const dimensions = t('vectors.dimensions', { count: vector.dimensions, formatted: formatCount(vector.dimensions) })
  return (
    <ItemForm
      title={vector.title}
      details={<About name={vector.name} title={vector.title} type={dimensions} />}
      edit={edit}
      isValid={fault === null}
      calls={calls}
      read={async () => (await calls.readVectors()).find(({ id }) => id === vector.id)?.title}
      send={(title) => calls.updateVector(vector.id, title)}
      conflictTexts={{ labelOf: () => t('itemTitle') }}
    >
      <Input
        label={t('itemTitle')}
        error={faultText(fault)}
        value={edit.value}
        onChange={(event) => edit.change(event.target.value)}
      />
    </ItemForm>
  )
}
