// The flight program of a small helicopter: six loops that keep it in the air.
//
// It cannot stay up by itself: it tilts away from the wind, and its swings double within a second. The
// control loop holds it, 50 times a second, with what four other loops read from serial lines; a
// monitor tells them when there is something to read. Lines break packets; packets.h finds the whole
// ones. (After the paper on EDF-eCos: Kodirov and others, 2010.)
//
//     AHRS   --Serial1--> 2: angles, 100 Hz --\                       6: monitor, which wakes 2 to 5
//     GPS    --Serial2--> 3: place, 10 Hz ----->-- 1: control, 50 Hz --Serial3--> servos
//     servos --Serial3--> 4: fed back, 50 Hz -/|
//     ground --Serial---> 5: commands ---------/   and a line about it all every 10 s
//
// scenario.yaml has the helicopter. ../../docs/guide/flight.md says what can be tried.
#include <TimeServices.h>

#include "packets.h"

struct Attitude {
  uint16_t number;
  float roll, pitch, yaw;              // radians
  float rollRate, pitchRate, yawRate;  // per second
  bool known;
};

struct Position {
  float north, east, height;      // metres
  float northward, eastward, up;  // metres a second
  bool known;
};

struct Feedback {
  uint16_t number;  // of the control packet that the servos have last
};

struct Command {
  float north, east, height;  // metres
  uint32_t lateUs;            // control answers so late
  uint32_t loadUs;            // so much computing for each command
  bool known;
};

const float GRAVITY = 9.81;
const float DEGREE = PI / 180;
const float FULL = 10000;  // a servo's full deflection

// Each line's packets, and a semaphore on which the loop that reads it waits.
PacketReader attitudes(ATTITUDE, 20), positions(POSITION, 20), feedbacks(FEEDBACK, 10),
    commands(COMMAND, 22);
Semaphore attitudeBytes(0), positionBytes(0), feedbackBytes(0), commandBytes(0);

// From the loops that read to control: always the newest value, always whole.
Channel<Attitude> attitude;
Channel<Position> position;
Channel<Feedback> feedback;
Channel<Command> command;
Channel<Position> place;  // for the loop that tells about it

unsigned long controls = 0;    // packets to the servos
unsigned long unanswered = 0;  // of which the feedback was late or lost

void setup() {
  Serial.begin(115200);   // ground station
  Serial1.begin(115200);  // AHRS
  Serial2.begin(115200);  // GPS
  Serial3.begin(115200);  // servos
}

// Guidance and control: done within half of its period.
void periodic(1, 1ms, 20ms, 10ms) {
  Attitude a = channelRead(attitude);
  if (!a.known) return;
  Position p = channelRead(position);
  Command c = channelRead(command);
  if (controls > 0 && uint16_t(channelRead(feedback).number + 1) != uint16_t(controls)) unanswered++;

  float rollTo = 0, pitchTo = 0, collective = 0;
  if (p.known && c.known) guide(a, p, c, rollTo, pitchTo, collective);
  PacketWriter packet(CONTROL);
  packet.add(uint16_t(controls++));
  packet.add(a.number);
  packet.add(servo(5.3 * (rollTo - a.roll) - 0.87 * a.rollRate));
  packet.add(servo(5.3 * (pitchTo - a.pitch) - 0.87 * a.pitchRate));
  packet.add(servo(-0.5 * a.yaw - 0.28 * a.yawRate + 0.25 * collective));
  packet.add(servo(collective));
  packet.close();
  if (c.lateUs > 0) delay(c.lateUs / 1000);
  Serial3.write(packet.bytes(), packet.size());
}

// AHRS: angles and rates.
void loop(2, 1ms, 5ms) {
  attitudeBytes.p();
  while (Serial1.available() > 0) {
    if (!attitudes.take(Serial1.read())) continue;
    const uint8_t* from = attitudes.payload();
    Attitude a;
    a.number = field16(from, 0);
    a.roll = signed16(from, 2) * (DEGREE / 100);
    a.pitch = signed16(from, 4) * (DEGREE / 100);
    a.yaw = signed16(from, 6) * (DEGREE / 100);
    a.rollRate = signed16(from, 8) * (DEGREE / 10);
    a.pitchRate = signed16(from, 10) * (DEGREE / 10);
    a.yawRate = signed16(from, 12) * (DEGREE / 10);
    a.known = true;
    channelWrite(attitude, a);
  }
}

// GPS: place and speed.
void loop(3, 1ms, 50ms) {
  positionBytes.p();
  while (Serial2.available() > 0) {
    if (!positions.take(Serial2.read())) continue;
    const uint8_t* from = positions.payload();
    Position p;
    p.north = signed32(from, 2) / 1000.0f;
    p.east = signed32(from, 6) / 1000.0f;
    p.height = signed32(from, 10) / 1000.0f;
    p.northward = signed16(from, 14) / 100.0f;
    p.eastward = signed16(from, 16) / 100.0f;
    p.up = signed16(from, 18) / 100.0f;
    p.known = true;
    channelWrite(position, p);
    channelWrite(place, p);
  }
}

// What the servos feed back.
void loop(4, 1ms, 10ms) {
  feedbackBytes.p();
  while (Serial3.available() > 0) {
    if (!feedbacks.take(Serial3.read())) continue;
    Feedback f;
    f.number = field16(feedbacks.payload(), 0);
    channelWrite(feedback, f);
  }
}

// Commands from the ground: one a second, and a line for each tenth.
void loop(5, 2ms, 20ms) {
  commandBytes.p();
  while (Serial.available() > 0) {
    if (!commands.take(Serial.read())) continue;
    const uint8_t* from = commands.payload();
    Command c;
    c.north = signed32(from, 2) / 1000.0f;
    c.east = signed32(from, 6) / 1000.0f;
    c.height = signed32(from, 10) / 1000.0f;
    c.lateUs = field32(from, 14);
    c.loadUs = field32(from, 18);
    c.known = true;
    channelWrite(command, c);
    compute(c.loadUs);
    if (commands.good % 10 == 0) tell();
  }
}

// Serial monitor: who has something to read is woken.
void periodic(6, 100us, 2ms) {
  if (Serial1.available() > 0) attitudeBytes.v();
  if (Serial2.available() > 0) positionBytes.v();
  if (Serial3.available() > 0) feedbackBytes.v();
  if (Serial.available() > 0) commandBytes.v();
}

// From where it is to where it shall be: how far to tilt, and the collective for the height.
void guide(const Attitude& a, const Position& p, const Command& c, float& rollTo, float& pitchTo,
           float& collective) {
  float north = 0.4f * constrain(c.north - p.north, -5, 5) - p.northward;
  float east = 0.4f * constrain(c.east - p.east, -5, 5) - p.eastward;
  float ahead = north * cos(a.yaw) + east * sin(a.yaw);
  float aside = east * cos(a.yaw) - north * sin(a.yaw);
  pitchTo = constrain(-ahead / GRAVITY, -0.2f, 0.2f);
  rollTo = constrain(aside / GRAVITY, -0.2f, 0.2f);
  collective = 0.1f * constrain(c.height - p.height, -5, 5) - 0.08f * p.up;
}

uint16_t servo(float deflection) {
  return uint16_t(int16_t(constrain(deflection, -1.0f, 1.0f) * FULL));
}

// Stands for a survey's pictures, or whatever else somebody asks for from the ground.
void compute(uint32_t microseconds) {
  for (uint32_t done = 0; done < microseconds; done += 100) delayMicroseconds(100);
}

void tell() {
  Position p = channelRead(place);
  String line = String(millis() / 1000) + " s: north " + p.north + " east " + p.east + " height " +
                p.height + " m;";
  tell(line, " AHRS ", attitudes);
  tell(line, ", GPS ", positions);
  tell(line, ", fed back ", feedbacks);
  tell(line, ", commands ", commands);
  Serial.println(line + "; unanswered " + unanswered);
}

void tell(String& line, const char* name, const PacketReader& packets) {
  line += name;
  line += packets.good;
  line += " good ";
  line += packets.missing;
  line += " missing ";
  line += packets.refused;
  line += " refused";
}
