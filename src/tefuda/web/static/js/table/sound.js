// Sounds, made here from noise and a few tones: a card laid down, one's turn, little time left, the end of a
// game.

/**
 * What sounds: a tune is that of a moment of the game, in hertz.
 * @typedef {"card" | "turn" | "warning" | "end" | number[]} Sound
 */

const LOUD = 0.22;

/** @param {Sound} what @param {AudioContext} audio */
export function play(what, audio) {
  const now = audio.currentTime;
  if (typeof what !== "string")
    what.forEach((pitch, place) => tone(audio, pitch, now + place * 0.14, 0.5, 0.55));
  else if (what === "card") rustle(audio, now);
  else if (what === "turn")
    [659, 880].forEach((pitch, place) => tone(audio, pitch, now + place * 0.09, 0.22, 0.35));
  else if (what === "warning")
    [740, 740].forEach((pitch, place) => tone(audio, pitch, now + place * 0.16, 0.12, 0.5));
  else [523, 659, 784, 1047].forEach((pitch, place) => tone(audio, pitch, now + place * 0.13, 0.7, 0.45));
}

/**
 * A bell.
 * @param {AudioContext} audio
 * @param {number} pitch in hertz
 * @param {number} at
 * @param {number} seconds
 * @param {number} loud
 */
function tone(audio, pitch, at, seconds, loud) {
  const [voice, volume] = [audio.createOscillator(), audio.createGain()];
  voice.type = "triangle";
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUD * loud, at + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  voice.connect(volume).connect(audio.destination);
  voice.start(at);
  voice.stop(at + seconds);
}

/** @type {AudioBuffer | null} */
let noise = null;

/** Paper on cloth: a breath of noise without its heights. @param {AudioContext} audio @param {number} at */
function rustle(audio, at) {
  noise ??= breath(audio, 0.07);
  const [source, filter, volume] = [
    audio.createBufferSource(),
    audio.createBiquadFilter(),
    audio.createGain(),
  ];
  source.buffer = noise;
  filter.type = "lowpass";
  filter.frequency.value = 2200;
  volume.gain.value = LOUD * 1.6;
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(at);
}

/** Noise that fades. @param {AudioContext} audio @param {number} seconds */
function breath(audio, seconds) {
  const made = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const data = made.getChannelData(0);
  for (let place = 0; place < data.length; place += 1)
    data[place] = (Math.random() * 2 - 1) * (1 - place / data.length) ** 2;
  return made;
}
