import { fileNamedBy } from '@postil/contract/stored-file-names.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { href } from '#lib/api/base.ts'
import type { FieldViewProps } from '../define.ts'
import { Picture } from './Picture.tsx'
import styles from './View.module.css'

/** The schemes that a picture may come from; anything else is not asked for. */
const allowed = /^(?:https?:\/\/|data:image\/)/i

export const ImageView = ({ field, value }: FieldViewProps<'image'>) => {
  const { t } = useTranslation('field-types/image')
  const [hasFailed, setFailed] = useState(false)
  const stored = fileNamedBy(value)
  // A file of ours is asked for where the page is, whatever the server was called when the file was imported.
  const source = stored ? href(stored.path) : String(value)
  if ((stored === null && !allowed.test(source)) || hasFailed) return <p className={styles['failed']}>{t('couldNotLoad')}</p>
  return <Picture source={source} title={field.title} onFail={() => setFailed(true)} />
}
