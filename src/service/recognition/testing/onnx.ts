/*
 * Writes ONNX models, for stub models that the native recognizer loads like real ones. ONNX files are protocol buffers;
 * field numbers are those of onnx.proto3 (github.com/onnx/onnx). Limited to the stub models' needs: a hundred lines
 * instead of a protobuf library and its generated code.
 */

/** Tensor element types, by their number in ONNX. */
const elementTypes = { float: 1, int32: 6, int64: 7 } as const
type ElementType = keyof typeof elementTypes

/** A value of a graph: its type and shape. A string in the shape is a length known only at run time. */
type OnnxValue = { name: string; type: ElementType; shape: readonly (number | string)[] }
/** A constant of a graph. */
type OnnxConstant = { name: string; type: ElementType; shape: readonly number[]; values: readonly number[] }
type OnnxNode = {
  operator: string
  inputs: readonly string[]
  outputs: readonly string[]
  /** integers, or lists of them */
  attributes?: Record<string, number | readonly number[]>
}
export type OnnxModel = {
  inputs: readonly OnnxValue[]
  outputs: readonly OnnxValue[]
  constants: readonly OnnxConstant[]
  nodes: readonly OnnxNode[]
  /** read by the recognizer before it runs the model */
  metadata?: Record<string, string | number>
}

/** Encodes a protobuf varint: seven bits per byte, the last byte below 128. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

const wholeNumber = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)])

/** A length-delimited field: bytes, text or an encoded message. */
function block(field: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  return block(field, Buffer.concat(parts))
}

function writeValue(field: number, { name, type, shape }: OnnxValue): Buffer {
  const lengths = shape.map((length) =>
    message(1, [typeof length === 'number' ? wholeNumber(1, length) : block(2, length)]),
  )
  const tensor = message(1, [wholeNumber(1, elementTypes[type]), message(2, lengths)])
  return message(field, [block(1, name), message(2, [tensor])])
}

function rawValues(type: ElementType, values: readonly number[]): Buffer {
  const list =
    type === 'float'
      ? Float32Array.from(values)
      : type === 'int32'
        ? Int32Array.from(values)
        : BigInt64Array.from(values, BigInt)
  return Buffer.from(list.buffer)
}

function writeConstant({ name, type, shape, values }: OnnxConstant): Buffer {
  const lengths = shape.map((length) => wholeNumber(1, length))
  return message(5, [...lengths, wholeNumber(2, elementTypes[type]), block(8, name), block(9, rawValues(type, values))])
}

function writeAttribute(name: string, value: number | readonly number[]): Buffer {
  const isList = typeof value !== 'number'
  const values = isList ? value.map((each) => wholeNumber(8, each)) : [wholeNumber(3, value)]
  return message(5, [block(1, name), ...values, wholeNumber(20, isList ? 7 : 2)])
}

function writeNode({ operator, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return message(1, [
    ...inputs.map((name) => block(1, name)),
    ...outputs.map((name) => block(2, name)),
    block(4, operator),
    ...Object.entries(attributes).map(([name, value]) => writeAttribute(name, value)),
  ])
}

/** Encodes an `.onnx` file (IR version 8, opset 13). */
export function writeOnnx({ inputs, outputs, constants, nodes, metadata = {} }: OnnxModel): Buffer {
  return Buffer.concat([
    wholeNumber(1, 8),
    message(7, [
      ...nodes.map(writeNode),
      block(2, 'stub'),
      ...constants.map(writeConstant),
      ...inputs.map((value) => writeValue(11, value)),
      ...outputs.map((value) => writeValue(12, value)),
    ]),
    message(8, [block(1, ''), wholeNumber(2, 13)]),
    ...Object.entries(metadata).map(([key, value]) => message(14, [block(1, key), block(2, String(value))])),
  ])
}
