import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OnnxModel, writeOnnx } from './onnx.ts'

/*
 * An untrained speech model of a few kilobytes. The native recognizer (sherpa-onnx) loads and runs it like a real one
 * of the same kind (NeMo TDT transducer), and it repeats the same words wherever a recording is louder than its mean.
 * So everything around recognition is tested for real, within a second and without a download.
 */

/** The output, repeated; `▁` begins a word. */
const tokens = ['▁alpha', '▁bra', 'vo', ',', '▁Char', 'lie', '.', '▁delta']
const blank = tokens.length
/** Scores per step: each token and the blank, then how many frames to skip, 0 to 4. */
const scores = tokens.length + 1
const skips = 5
const logit = 5

/** Its confidence in every word, 0 to 1. */
export const stubConfidence = 1 / (1 + blank * Math.exp(-logit))
/** Length of its voice embedding. */
export const stubVoiceLength = 80

const oneHot = (length: number, place: number) => Array.from({ length }, (_, index) => (index === place ? logit : 0))

/** Loudness of every eighth frame: the mean over its frequencies, normalized over the recording. */
const encoder: OnnxModel = {
  inputs: [
    { name: 'audio_signal', type: 'float', shape: ['batch', 80, 'frames'] },
    { name: 'length', type: 'int64', shape: ['batch'] },
  ],
  outputs: [
    { name: 'outputs', type: 'float', shape: ['batch', 1, 'steps'] },
    { name: 'encoded_lengths', type: 'int64', shape: ['batch'] },
  ],
  constants: [{ name: 'step', type: 'int64', shape: [], values: [8] }],
  nodes: [
    {
      operator: 'ReduceMean',
      inputs: ['audio_signal'],
      outputs: ['loudness'],
      attributes: { axes: [1], keepdims: 1 },
    },
    {
      operator: 'AveragePool',
      inputs: ['loudness'],
      outputs: ['outputs'],
      attributes: { kernel_shape: [8], strides: [8] },
    },
    { operator: 'Div', inputs: ['length', 'step'], outputs: ['encoded_lengths'] },
  ],
  metadata: {
    vocab_size: tokens.length,
    subsampling_factor: 8,
    normalize_type: 'per_feature',
    pred_rnn_layers: 1,
    pred_hidden: 1,
    model_type: 'EncDecRNNTBPEModel',
    // "tdt" in the URL is how sherpa-onnx detects that the model also predicts how many steps to skip.
    url: 'stub-tdt',
    comment: 'stub',
  },
}

/** Scores the next token: the next one of the list, and its first after the blank. */
const decoder: OnnxModel = {
  inputs: [
    { name: 'targets', type: 'int32', shape: ['batch', 1] },
    { name: 'target_length', type: 'int32', shape: ['batch'] },
    { name: 'state_1', type: 'float', shape: [1, 'batch', 1] },
    { name: 'state_2', type: 'float', shape: [1, 'batch', 1] },
  ],
  outputs: [
    { name: 'outputs', type: 'float', shape: ['batch', scores, 1] },
    { name: 'prednet_lengths', type: 'int32', shape: ['batch'] },
    { name: 'next_state_1', type: 'float', shape: [1, 'batch', 1] },
    { name: 'next_state_2', type: 'float', shape: [1, 'batch', 1] },
  ],
  constants: [
    {
      name: 'next_scores',
      type: 'float',
      shape: [scores, scores],
      values: Array.from({ length: scores }, (_, token) => oneHot(scores, ((token + 1) % scores) % blank)).flat(),
    },
  ],
  nodes: [
    { operator: 'Gather', inputs: ['next_scores', 'targets'], outputs: ['rows'] },
    { operator: 'Transpose', inputs: ['rows'], outputs: ['outputs'], attributes: { perm: [0, 2, 1] } },
    { operator: 'Identity', inputs: ['target_length'], outputs: ['prednet_lengths'] },
    { operator: 'Identity', inputs: ['state_1'], outputs: ['next_state_1'] },
    { operator: 'Identity', inputs: ['state_2'], outputs: ['next_state_2'] },
  ],
}

/** If loud: the decoder's token, advancing three steps. Otherwise: the blank, advancing one. */
const joiner: OnnxModel = {
  inputs: [
    { name: 'encoder_outputs', type: 'float', shape: ['batch', 1, 1] },
    { name: 'decoder_outputs', type: 'float', shape: ['batch', scores, 1] },
  ],
  outputs: [{ name: 'outputs', type: 'float', shape: ['batch', 1, 1, scores + skips] }],
  constants: [
    { name: 'mean', type: 'float', shape: [], values: [0] },
    { name: 'skip_three', type: 'float', shape: [1, skips, 1], values: oneHot(skips, 3) },
    {
      name: 'nothing',
      type: 'float',
      shape: [1, scores + skips, 1],
      values: [...oneHot(scores, blank), ...oneHot(skips, 1)],
    },
    { name: 'shape', type: 'int64', shape: [4], values: [-1, 1, 1, scores + skips] },
  ],
  nodes: [
    { operator: 'Greater', inputs: ['encoder_outputs', 'mean'], outputs: ['is_loud'] },
    { operator: 'Concat', inputs: ['decoder_outputs', 'skip_three'], outputs: ['token'], attributes: { axis: 1 } },
    { operator: 'Where', inputs: ['is_loud', 'token', 'nothing'], outputs: ['chosen'] },
    { operator: 'Reshape', inputs: ['chosen', 'shape'], outputs: ['outputs'] },
  ],
}

/** Replaces Silero VAD (version 5): anything louder than a hundredth of full scale is speech. */
const voiceActivity: OnnxModel = {
  inputs: [
    { name: 'input', type: 'float', shape: ['batch', 'samples'] },
    { name: 'state', type: 'float', shape: [2, 'batch', 128] },
    { name: 'sr', type: 'int64', shape: [] },
  ],
  outputs: [
    { name: 'output', type: 'float', shape: ['batch', 1] },
    { name: 'stateN', type: 'float', shape: [2, 'batch', 128] },
  ],
  constants: [{ name: 'quiet', type: 'float', shape: [], values: [0.01 ** 2] }],
  nodes: [
    { operator: 'Mul', inputs: ['input', 'input'], outputs: ['power'] },
    { operator: 'ReduceMean', inputs: ['power'], outputs: ['mean'], attributes: { axes: [1], keepdims: 1 } },
    { operator: 'Greater', inputs: ['mean', 'quiet'], outputs: ['is_speech'] },
    { operator: 'Cast', inputs: ['is_speech'], outputs: ['output'], attributes: { to: 1 } },
    { operator: 'Identity', inputs: ['state'], outputs: ['stateN'] },
  ],
}

/** Replaces a speaker model: the mean of each frequency over time. */
const voiceVector: OnnxModel = {
  inputs: [{ name: 'features', type: 'float', shape: ['batch', 'frames', stubVoiceLength] }],
  outputs: [{ name: 'embedding', type: 'float', shape: ['batch', stubVoiceLength] }],
  constants: [],
  nodes: [
    { operator: 'ReduceMean', inputs: ['features'], outputs: ['embedding'], attributes: { axes: [1], keepdims: 0 } },
  ],
  metadata: {
    framework: 'wespeaker',
    language: 'English',
    output_dim: stubVoiceLength,
    sample_rate: 16_000,
    normalize_samples: 1,
    feature_normalize_type: '',
    url: 'stub',
    comment: 'stub',
  },
}

/** Writes the stub model into a folder, as an operator's MODEL_DIR: transducer, VAD and voices. Creates the folder. */
export async function writeStubModel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const write = (name: string, content: Buffer | string) => writeFile(join(folder, name), content)
  await write('encoder.onnx', writeOnnx(encoder))
  await write('decoder.onnx', writeOnnx(decoder))
  await write('joiner.onnx', writeOnnx(joiner))
  await write('tokens.txt', [...tokens, '<blk>'].map((token, index) => `${token} ${index}\n`).join(''))
  await write('silero_vad.onnx', writeOnnx(voiceActivity))
  await write('embedding.onnx', writeOnnx(voiceVector))
}
