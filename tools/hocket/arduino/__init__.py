"""What the Arduino IDE, arduino-builder and arduino-cli call (docs/reference/arduino-tools.md).

    install      the two platforms, arduino/ide/, into a sketchbook                     platform.py
    prepare      before a build: the board's libraries                                  recipes.py
    preprocess   a source, by which the builder learns what it includes                 each_file.py
    compile      a source: its object is a note of it                                   each_file.py
    prototypes   of the sketch: none, they are made when it is linked                   each_file.py
    link         builds what the notes name, as `hocket build` does, and checks it      linking.py
    size, upload                                                                        recipes.py

How much stack a loop of a sketch gets is known when the whole program is, and every source is compiled with
it: so nothing is compiled before all sources are there.
"""
