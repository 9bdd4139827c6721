import { encode } from 'uqr'

type Props = { readonly text: string; readonly label: string; readonly className?: string | undefined }

/** Light modules around the code that scanners require (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A text as a QR code. Dark on light in every theme, because some scanners can't read the reverse. */
export const QrCode = ({ text, label, className }: Props) => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className={className} role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
